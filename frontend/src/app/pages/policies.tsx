export { PoliciesPage as Component } from '../../features/policies/policies-page';
