import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

/** Overlays render inside the main landmark so that screen readers find them. */
const INSIDE_MAIN = { target: '#main' }

/**
 * The dashboard's theme, and the only place that decides contrast: every text color has at least 4.5:1 on the
 * backgrounds that it is used on, in both schemes, so that pages use Mantine's color names (`dimmed`, `teal`, `red`).
 */
export const theme = createTheme({
  primaryColor: 'teal',
  primaryShade: 9,
  colors: { dark: darkScale() },
  black: '#1a2027',
  defaultRadius: 'md',
  cursorType: 'pointer',
  fontFamily:
    'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.3' },
      h2: { fontSize: '1.125rem', lineHeight: '1.4' },
      h3: { fontSize: '1rem', lineHeight: '1.45' },
    },
  },
  components: {
    // Tables and long words in it scroll or wrap instead of widening it.
    Alert: { styles: { body: { minWidth: 0 } } },
    Anchor: { defaultProps: { underline: 'hover' } },
    Badge: { defaultProps: { variant: 'light', tt: 'none', fw: 600 } },
    // Long labels wrap.
    Button: {
      defaultProps: { size: 'sm' },
      styles: {
        root: { height: 'auto', minHeight: 'var(--button-height)', paddingBlock: 4 },
        // The button's height minus padding and border: links styled as buttons do not center their content.
        inner: { minHeight: 'calc(var(--button-height) - 10px)' },
        // The label clips overflow, so lines must be as high as their letters.
        label: { whiteSpace: 'normal', lineHeight: 1.35 },
      },
    },
    Combobox: { defaultProps: { portalProps: INSIDE_MAIN } },
    HoverCard: { defaultProps: { portalProps: INSIDE_MAIN } },
    Popover: { defaultProps: { portalProps: INSIDE_MAIN } },
    // The first item takes the focus, not a placeholder.
    Menu: {
      defaultProps: { portalProps: INSIDE_MAIN, withInitialFocusPlaceholder: false, menuItemTabIndex: 0 },
    },
    // Otherwise each open dialog would add a banner landmark.
    ModalHeader: { defaultProps: { role: 'none' } },
    DrawerHeader: { defaultProps: { role: 'none' } },
    Card: { defaultProps: { withBorder: true, padding: 'lg' } },
    // The scroll bar stays while a dialog is open, to avoid a layout shift; the page does not scroll.
    Modal: {
      defaultProps: {
        centered: true,
        styles: { title: { fontSize: 'var(--mantine-font-size-lg)', fontWeight: 650, lineHeight: 1.3 } },
        removeScrollProps: { removeScrollBar: false },
        closeButtonProps: { 'aria-label': 'Close' },
      },
    },
    Drawer: {
      defaultProps: {
        position: 'right',
        removeScrollProps: { removeScrollBar: false },
        closeButtonProps: { 'aria-label': 'Close' },
      },
    },
    Tooltip: {
      defaultProps: { portalProps: INSIDE_MAIN, withArrow: true, openDelay: 250, multiline: true, maw: 320 },
    },
  },
})

/** Backgrounds of white text, dark enough in either scheme, also on hover. */
const FILLED = {
  '--mantine-color-teal-filled-hover': '#06694b',
  '--mantine-color-red-filled-hover': '#a82222',
  '--mantine-color-gray-filled-hover': '#343a40',
  '--mantine-color-orange-filled': '#b8400a',
  '--mantine-color-orange-filled-hover': '#993508',
  '--mantine-color-yellow-filled': '#8f5a00',
  '--mantine-color-yellow-filled-hover': '#774b00',
  '--mantine-color-green-filled': '#257a36',
  '--mantine-color-green-filled-hover': '#1e662d',
}

/** Replaces Mantine variables with too little contrast, by scheme. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...FILLED,
    '--mantine-color-dimmed': '#57606a',
    '--mantine-color-placeholder': '#6b747d',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-success': '#087f5b',
    // Softer backgrounds for selected and highlighted elements.
    '--mantine-color-teal-light': '#def3ea',
    '--mantine-color-teal-light-hover': '#cdebdf',
    '--mantine-color-teal-light-color': '#06583f',
    '--mantine-color-red-6': '#c92a2a',
    '--mantine-color-red-light': '#fff0f0',
    '--mantine-color-red-light-hover': '#ffe3e3',
    '--mantine-color-orange-text': '#b8400a',
    '--mantine-color-yellow-text': '#8f5a00',
    '--mantine-color-green-text': '#257a36',
    '--mantine-color-orange-light-color': '#9c3607',
    '--mantine-color-yellow-light-color': '#7a4c00',
    '--mantine-color-green-light-color': '#1d6b2c',
    '--mantine-color-default-border': '#cfd5db',
    '--ground-muted': '#f6f8f9',
    '--line': '#e1e5e9',
  },
  dark: {
    ...FILLED,
    '--mantine-color-dimmed': '#9aa4af',
    '--mantine-color-placeholder': '#8b95a0',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-success': '#38d9a9',
    // By default the color of a card, on which a disabled button would look like plain text.
    '--mantine-color-disabled': '#2c343d',
    '--mantine-color-teal-light': '#12352b',
    '--mantine-color-teal-light-hover': '#174538',
    '--mantine-color-teal-light-color': '#a5ead0',
    '--mantine-color-gray-light': '#2a323a',
    '--mantine-color-gray-light-hover': '#343d46',
    '--mantine-color-gray-light-color': '#d5dae0',
    '--mantine-color-red-6': '#ff8787',
    '--mantine-color-red-light': '#38191c',
    '--mantine-color-red-light-hover': '#4a1f23',
    '--mantine-color-red-light-color': '#ffc0c0',
    '--mantine-color-orange-light': '#3a2415',
    '--mantine-color-orange-light-hover': '#4a2f1c',
    '--mantine-color-orange-light-color': '#ffcba3',
    '--mantine-color-yellow-light': '#352a12',
    '--mantine-color-yellow-light-hover': '#443617',
    '--mantine-color-yellow-light-color': '#ffe08f',
    '--mantine-color-blue-light': '#16293f',
    '--mantine-color-blue-light-hover': '#1c3450',
    '--mantine-color-blue-light-color': '#b6d8ff',
    '--mantine-color-default-border': '#3d4650',
    '--ground-muted': '#11161b',
    '--line': '#2a323a',
  },
})

function darkScale(): MantineColorsTuple {
  return ['#d5dae0', '#b8c0c9', '#9aa4af', '#6e7883', '#3d4650', '#2c343d', '#20272e', '#171c22', '#11161b', '#0b0f13']
}
