import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';

/*
 * Quiet, slightly green greys, one pine green for what can be acted on, and red only for bad news. Every scale is our own: of the
 * library's, several fall short of AA as small text. In both schemes, shade 7 to 9 is text on a light ground, 1 to 3 on a dark one.
 */

const brand: MantineColorsTuple = [
  '#edf6f2', '#d8ebe3', '#b2d8c9', '#89c4ad', '#62b093', '#3f9a7d', '#2a8268', '#1f6f5c', '#185a4a', '#0f4237',
];
const gray: MantineColorsTuple = [
  '#f6f8f7', '#eef1ef', '#e2e7e4', '#d3dad6', '#b7c0bb', '#8f9a95', '#5a6661', '#45504b', '#2d3632', '#1a2320',
];
const dark: MantineColorsTuple = [
  '#e4e9e7', '#c5cdca', '#a5b0ac', '#7f8b87', '#46514e', '#333c3a', '#252c2b', '#1b2121', '#141919', '#0e1212',
];
const red: MantineColorsTuple = [
  '#fdf0ee', '#fadcd8', '#f5b8b0', '#ef9186', '#e66a5c', '#d94a3a', '#c5372a', '#ad2a1f', '#8f2119', '#6d1812',
];
const orange: MantineColorsTuple = [
  '#fdf2e8', '#fae1ca', '#f4c294', '#eda35e', '#e28535', '#cf6d1b', '#b35a12', '#96490d', '#78390a', '#592a07',
];
const yellow: MantineColorsTuple = [
  '#fbf5e0', '#f5e8b9', '#ebd27c', '#dfba44', '#c99f22', '#a98314', '#8c6b0f', '#73570c', '#5b4509', '#433206',
];
const blue: MantineColorsTuple = [
  '#edf4fb', '#d6e6f6', '#adcdec', '#82b2e1', '#5996d3', '#397dc2', '#2867a9', '#1f568f', '#184472', '#113254',
];

const DIALOG = { title: { fontWeight: 650 } };

/** The options scroll by themselves: a scroll area within them would be a place that the keyboard cannot reach. */
const SCROLLING_OPTIONS = { defaultProps: { withScrollArea: false }, styles: { options: { maxHeight: 240, overflowY: 'auto' } } };

export const theme = createTheme({
  colors: { brand, gray, dark, red, orange, yellow, blue },
  primaryColor: 'brand',
  // White on either has more than the 4.5:1 that AA asks for.
  primaryShade: { light: 7, dark: 6 },
  black: '#1a2320',
  defaultRadius: 'md',
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '20px' },
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace",
  headings: { fontWeight: '650', sizes: { h1: { fontSize: '1.5rem', lineHeight: '1.3' }, h2: { fontSize: '1.125rem' }, h3: { fontSize: '1rem' } } },
  cursorType: 'pointer',
  components: {
    Tooltip: { defaultProps: { withArrow: true, openDelay: 300, events: { hover: true, focus: true, touch: true } } },
    Modal: { defaultProps: { centered: true, radius: 'lg', closeButtonProps: { 'aria-label': 'Close' } }, styles: DIALOG },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } }, styles: DIALOG },
    // The library's <header> in a dialog counts as the page's banner, of which there can be one.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    DrawerHeader: { defaultProps: { role: 'presentation' } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Badge: { defaultProps: { variant: 'light', radius: 'sm', tt: 'none', fw: 600 }, styles: { root: { verticalAlign: 'middle' } } },
    Card: { defaultProps: { withBorder: true, radius: 'lg', padding: 'md' }, styles: { root: { backgroundColor: 'var(--app-surface)', borderColor: 'var(--app-line)' } } },
    Paper: { defaultProps: { radius: 'lg' } },
    InputWrapper: { styles: { label: { fontSize: 'var(--mantine-font-size-sm)', fontWeight: 600, marginBottom: 4 } } },
    // On a phone they are one line that scrolls, not two; the library's own line below them would scroll away with them.
    Tabs: {
      styles: {
        list: { flexWrap: 'nowrap', overflowX: 'auto', overflowY: 'hidden', scrollbarWidth: 'none', boxShadow: 'inset 0 -2px var(--mantine-color-default-border)' },
        tab: { flex: 'none' },
      },
    },
    Loader: { defaultProps: { type: 'dots' } },
    // What can be chosen belongs to its field: in the page's main part or in the dialog, where screen readers look for it. Fixed to
    // the window, nothing around it cuts it off.
    Combobox: { defaultProps: { withinPortal: false, floatingStrategy: 'fixed' } },
    // Menus are part of the page as well, and begin with their first item instead of with a place that has no name.
    Menu: { defaultProps: { position: 'bottom-end', portalProps: { target: 'main' }, withInitialFocusPlaceholder: false } },
    // A list with nothing to choose from is still a list: what it says instead is read as an option that cannot be taken.
    ComboboxEmpty: { defaultProps: { role: 'option', 'aria-disabled': true } },
    Select: SCROLLING_OPTIONS,
    MultiSelect: SCROLLING_OPTIONS,
  },
});

const COLOURS = ['brand', 'gray', 'red', 'orange', 'yellow', 'blue'];

/** What stands on a tint of its own colour: the library's choice is too faint for small text. */
function tints(ground: number, groundHover: number, text: number, name: (colour: string, shade: number) => string) {
  return Object.fromEntries(
    COLOURS.flatMap((colour) => [
      [`--mantine-color-${colour}-light`, name(colour, ground)],
      [`--mantine-color-${colour}-light-hover`, name(colour, groundHover)],
      [`--mantine-color-${colour}-light-color`, `var(--mantine-color-${colour}-${text})`],
    ]),
  );
}

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...tints(1, 2, 8, (colour, shade) => `var(--mantine-color-${colour}-${shade})`),
    '--mantine-color-placeholder': 'var(--mantine-color-gray-6)',
    '--mantine-color-error': 'var(--mantine-color-red-7)',
    '--mantine-color-anchor': 'var(--mantine-color-brand-7)',
    '--app-page': 'var(--mantine-color-gray-0)',
    '--app-surface': 'var(--mantine-color-white)',
    '--app-line': 'var(--mantine-color-gray-2)',
  },
  dark: {
    ...tints(9, 8, 2, (colour, shade) => `color-mix(in srgb, var(--mantine-color-${colour}-${shade}) 55%, var(--mantine-color-dark-7))`),
    // The darkest grey is what cards are made of: a badge of it would have no ground.
    '--mantine-color-gray-light': 'var(--mantine-color-dark-5)',
    '--mantine-color-gray-light-hover': 'var(--mantine-color-dark-4)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-2)',
    '--mantine-color-error': 'var(--mantine-color-red-3)',
    '--mantine-color-anchor': 'var(--mantine-color-brand-3)',
    '--app-page': 'var(--mantine-color-dark-8)',
    '--app-surface': 'var(--mantine-color-dark-7)',
    '--app-line': 'var(--mantine-color-dark-5)',
  },
});
