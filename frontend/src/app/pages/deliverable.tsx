export { DeliverablePage as Component } from '../../features/deliverable/deliverable-page';
