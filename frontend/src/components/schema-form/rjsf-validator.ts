import { ErrorSchemaBuilder, type ErrorSchema, type RJSFSchema, type RJSFValidationError, type ValidatorType } from '@rjsf/utils';
import { isValid, validate, type Problem } from './validate';

function errorOf({ path, keyword, message }: Problem): RJSFValidationError {
  return { name: keyword, property: path.map((part) => `.${part}`).join(''), message, stack: `${path.join('.')}: ${message}` };
}

/** What a form marks. Paths stay lists: a text could not tell a field whose name looks like a path. */
export function marksOf(problems: readonly Problem[]): ErrorSchema {
  const builder = new ErrorSchemaBuilder();
  for (const { path, message } of problems) builder.addErrors(message, path);
  return builder.ErrorSchema;
}

/** The form library's view of our validator. */
export const validator: ValidatorType<unknown, RJSFSchema> = {
  validateFormData(formData, schema) {
    const problems = validate(schema, formData);
    return { errors: problems.map(errorOf), errorSchema: marksOf(problems) };
  },
  // Parts of a schema refer to definitions of the whole.
  isValid: (schema, formData, rootSchema) => isValid({ ...schema, $defs: rootSchema['$defs'], definitions: rootSchema['definitions'] }, formData),
  rawValidation: <Result>(schema: RJSFSchema, formData?: unknown) => ({ errors: validate(schema, formData) as Result[] }),
};
