export { WorkflowsPage as Component } from '../../features/workflows/workflows-page';
