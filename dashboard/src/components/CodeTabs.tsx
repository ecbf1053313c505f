import { Tabs } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { CopyButton } from './CopyButton.tsx'
import type { CodeSamples } from './code-samples.ts'
import classes from './components.module.css'

const LANGUAGES = [
  ['curl', 'curl'],
  ['typescript', 'TypeScript'],
  ['python', 'Python'],
] as const

/** One request as curl, TypeScript and Python, each with a copy button. The chosen language is stored, also for the documentation. */
export function CodeTabs(props: { samples: CodeSamples; label?: string }) {
  const [language, setLanguage] = useLocalStorage<string>({
    key: 'code-language',
    defaultValue: 'curl',
    serialize: (value) => value,
    deserialize: (value) => value ?? 'curl',
    getInitialValueInEffect: false,
  })
  const shown = LANGUAGES.some(([name]) => name === language) ? language : 'curl'
  return (
    <Tabs value={shown} onChange={(value) => value && setLanguage(value)} className={classes.codeTabs}>
      <Tabs.List aria-label={props.label ?? 'Example language'}>
        {LANGUAGES.map(([name, label]) => (
          <Tabs.Tab key={name} value={name}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {LANGUAGES.map(([name, label]) => (
        <Tabs.Panel key={name} value={name}>
          <CodeBlock code={props.samples[name]} label={`${label} example`} />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

/** Code with a copy button. The keyboard can scroll it. */
export function CodeBlock(props: { code: string; label: string }) {
  return (
    <div className={classes.codeBlock}>
      <section aria-label={props.label}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be focusable */}
        <pre className={classes.code} tabIndex={0}>
          <code>{props.code}</code>
        </pre>
      </section>
      <div className={classes.codeCopy}>
        <CopyButton value={props.code} label={`Copy ${props.label}`} />
      </div>
    </div>
  )
}
