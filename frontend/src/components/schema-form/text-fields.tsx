import { Templates, Widgets } from '@rjsf/mantine';
import type { BaseInputTemplateProps, WidgetProps } from '@rjsf/utils';
import { namesHidden } from '../../lib/hidden-note';

/* The form library's own fields for texts, which also name what a text hides. It hands on options that it does not know. */

const { BaseInputTemplate } = Templates;
const { TextareaWidget } = Widgets;

export function TextField(props: BaseInputTemplateProps) {
  return BaseInputTemplate && <BaseInputTemplate {...props} options={{ ...props.options, inputContainer: namesHidden(props.value) }} />;
}

export function LongTextField(props: WidgetProps) {
  return TextareaWidget && <TextareaWidget {...props} options={{ ...props.options, inputContainer: namesHidden(props.value) }} />;
}
