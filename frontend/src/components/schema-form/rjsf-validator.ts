import {
  createErrorHandler,
  toErrorSchema,
  unwrapErrorHandler,
  validationDataMerge,
  type RJSFSchema,
  type RJSFValidationError,
  type ValidatorType,
} from '@rjsf/utils';
import { isValid, validate, type Problem } from './validate';

function errorOf({ path, keyword, message }: Problem): RJSFValidationError {
  const property = path.map((part) => (typeof part === 'number' ? `[${part}]` : `['${part.replaceAll("'", "\\'")}']`)).join('');
  return { name: keyword, property, message, stack: `${path.join('.')}: ${message}` };
}

/** The form library's view of our validator. */
export const validator: ValidatorType<unknown, RJSFSchema> = {
  validateFormData(formData, schema, customValidate, transformErrors, uiSchema) {
    const found = validate(schema, formData).map(errorOf);
    const errors = transformErrors ? transformErrors(found, uiSchema) : found;
    const data = { errors, errorSchema: toErrorSchema(errors) };
    if (!customValidate) return data;
    const handler = customValidate(formData, createErrorHandler(formData), uiSchema, data.errorSchema);
    return validationDataMerge(data, unwrapErrorHandler(handler));
  },
  // Parts of a schema refer to definitions of the whole.
  isValid: (schema, formData, rootSchema) => isValid({ ...schema, $defs: rootSchema['$defs'], definitions: rootSchema['definitions'] }, formData),
  rawValidation: <Result>(schema: RJSFSchema, formData?: unknown) => ({ errors: validate(schema, formData) as Result[] }),
};
