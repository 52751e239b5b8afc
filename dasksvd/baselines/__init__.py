"""What DAS-KSVD is compared with."""
