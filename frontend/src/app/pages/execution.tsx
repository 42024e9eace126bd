export { ExecutionPage as Component } from '../../features/execution/execution-page';
