// the handlers
