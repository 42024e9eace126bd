export { AnalyticsPage as Component } from '../../features/analytics/analytics-page';
