"""What the pages share: cached look-ups, the sidebar, the job panel."""
