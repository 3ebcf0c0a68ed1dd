"""The provider adapters: each speaks one provider's wire format, and only it."""
