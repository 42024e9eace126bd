// In place of @rjsf/validator-ajv8, which a helper for tests in @rjsf/core imports: it compiles schemas with `new Function`, and
// the Content-Security-Policy forbids that. The console's validator is in src/components/schema-form.
export default undefined;
