import { Group, Radio, Text, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { Section } from './section';
import classes from './settings.module.css';

const SCHEMES: { value: MantineColorScheme; label: string; note: string }[] = [
  { value: 'light', label: 'Light', note: 'Dark text on a light ground' },
  { value: 'dark', label: 'Dark', note: 'Easier on the eyes at night' },
  { value: 'auto', label: 'As the system', note: 'Changes with your device' },
];

export function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Section title="Appearance" explanation="Kept in this browser.">
      <Radio.Group aria-label="Theme" value={colorScheme} onChange={(value) => setColorScheme(value as MantineColorScheme)}>
        <Group gap="sm">
          {SCHEMES.map(({ value, label, note }) => (
            <Radio.Card key={value} value={value} className={classes.scheme}>
              <Group wrap="nowrap" gap="sm">
                <Radio.Indicator />
                <div>
                  <Text size="sm" fw={600}>
                    {label}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {note}
                  </Text>
                </div>
              </Group>
            </Radio.Card>
          ))}
        </Group>
      </Radio.Group>
    </Section>
  );
}
