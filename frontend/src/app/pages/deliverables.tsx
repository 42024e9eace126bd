export { DeliverablesPage as Component } from '../../features/deliverables/deliverables-page';
