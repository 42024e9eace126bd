export { WorkflowPage as Component } from '../../features/workflow/workflow-page';
