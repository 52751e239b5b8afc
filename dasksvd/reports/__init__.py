"""What can be taken home: the code behind a result, reports that can be checked, tables for other programs."""
