export { CheckpointPage as Component } from '../../features/checkpoint/checkpoint-page';
