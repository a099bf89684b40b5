"""One task per live match, its watchers and its deadlines."""
