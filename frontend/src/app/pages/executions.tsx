export { ExecutionsPage as Component } from '../../features/executions/executions-page';
