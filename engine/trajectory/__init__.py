"""What an agent did, step by step: the record, its readers, the tracker that writes it and the checks that judge it."""
