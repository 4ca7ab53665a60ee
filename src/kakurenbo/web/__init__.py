"""What every page shares: an application with its guards, sign-in, forms, words in two languages."""
