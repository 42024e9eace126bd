import { Drawer } from '@mantine/core';
import { usePhone } from '../../lib/use-phone';
import { AgentDetail } from './agent-detail';
import { NewAgent } from './new-agent';

interface Props {
  id: string | null;
  onOpen: (id: string) => void;
  onClose: () => void;
  onChanged: () => void;
}

/** One agent beside the list, or a form for a new one. */
export function AgentDrawer({ id, onOpen, onClose, onChanged }: Props) {
  const phone = usePhone();
  return (
    <Drawer opened={id !== null} onClose={onClose} position="right" size={phone ? '100%' : 620} title={id === 'new' ? 'New agent' : 'Agent'}>
      {id === 'new' && (
        <NewAgent
          onMade={(made) => {
            onChanged();
            onOpen(made);
          }}
        />
      )}
      {id !== null && id !== 'new' && <AgentDetail key={id} id={id} onChanged={onChanged} />}
    </Drawer>
  );
}
