import { Form } from '@rjsf/mantine';
import type { Experimental_DefaultFormStateBehavior, RJSFSchema, UiSchema } from '@rjsf/utils';
import '@mantine/dates/styles.css';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useFirstField } from '../../lib/use-first-field';
import { GroupErrors } from './group-errors';
import { marksOf, validator } from './rjsf-validator';
import type { SchemaFieldsProps } from './schema-form';
import { LongTextField, TextField } from './text-fields';
import { ArrayTitle, TitleField } from './title-field';
import { uiFor } from './ui';
import { validate } from './validate';

/** Otherwise the form would put in what nobody typed. */
const NO_DEFAULTS: Experimental_DefaultFormStateBehavior = { emptyObjectFields: 'skipDefaults', arrayMinItems: { populate: 'never' }, constAsDefaults: 'never' };

const TEMPLATES = { BaseInputTemplate: TextField, FieldErrorTemplate: GroupErrors, TitleFieldTemplate: TitleField, ArrayFieldTitleTemplate: ArrayTitle };
const WIDGETS = { TextareaWidget: LongTextField };
const UI: UiSchema = { 'ui:submitButtonOptions': { norender: true } };

export default function SchemaFields({ schema, value, onChange, disabled = false, idPrefix = 'field', defaults = true, focusFirst = false, attempts = 0 }: SchemaFieldsProps) {
  // Of the value that it began with: a field must not turn into another while somebody types in it.
  const [ui] = useState(() => ({ ...UI, ...uiFor(value) }));
  const box = useRef<HTMLDivElement>(null);
  useFirstField(box, focusFirst);
  // Who fills in a form has not come to every field yet.
  const patient = defaults && attempts === 0;
  const marks = useMemo(() => marksOf(validate(schema, value).filter(({ keyword }) => !patient || keyword !== 'required')), [schema, value, patient]);
  useEffect(() => {
    if (attempts > 0) box.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [attempts]);
  return (
    <div ref={box}>
      <Form
        tagName="div"
        schema={schema as RJSFSchema}
        uiSchema={ui}
        templates={TEMPLATES}
        widgets={WIDGETS}
        validator={validator}
        formData={value}
        onChange={({ formData }) => onChange(formData)}
        disabled={disabled}
        idPrefix={idPrefix}
        experimental_defaultFormStateBehavior={defaults ? undefined : NO_DEFAULTS}
        extraErrors={marks}
        showErrorList={false}
        noHtml5Validate
      />
    </div>
  );
}
