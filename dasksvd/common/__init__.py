"""What every layer may use: files, compiled code, parallel work."""
