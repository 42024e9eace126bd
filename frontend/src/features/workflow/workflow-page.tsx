import { useParams } from 'react-router';
import { NewWorkflow } from './new-workflow';
import { WorkflowView } from './workflow-view';

export function WorkflowPage() {
  const { id = '' } = useParams();
  return id === 'new' ? <NewWorkflow /> : <WorkflowView key={id} id={id} />;
}
