import { Anchor, Badge, Code, Stack, Text } from '@mantine/core'
import type { Example } from '../../../../src/validator/findings.ts'
import type { RuleFindings } from '../../../../src/validator/report.ts'
import { useOptions } from '../../api/session.ts'
import { formatCount } from '../usage/figures.ts'
import classes from './operator.module.css'

/** What was found against each rule: what is right, where, what came, and how the line begins. */
export function CheckFindings(props: { findings: readonly RuleFindings[]; isOpen: boolean }) {
  return (
    <Stack gap="xs">
      {props.findings.map((found) => (
        <details key={found.rule} className={classes.finding} open={props.isOpen}>
          <summary>
            <span className={classes.rule}>{found.rule}</span>{' '}
            <Badge variant="default" size="sm">
              {formatCount(found.count)}
            </Badge>
          </summary>
          <Rule found={found} />
        </details>
      ))}
    </Stack>
  )
}

function Rule({ found: { rule, right, source, docs, count, examples } }: { found: RuleFindings }) {
  const { docsUrl } = useOptions()
  const address = `${docsUrl.replace(/\/$/, '')}/${docs.replace('.md', '')}`
  return (
    <Stack gap="sm" mt="sm">
      <Text size="sm">Right: {withCode(right)}.</Text>
      <Text size="xs" c="dimmed">
        {`After: ${source}. `}
        <Anchor href={address} underline="always" inherit>
          About this rule<span className="sr-only">: {rule}</span>
        </Anchor>
      </Text>
      <ul className={classes.examples}>
        {examples.map((example) => (
          <li key={`${example.file} ${example.line} ${example.found}`}>
            <Place example={example} />
          </li>
        ))}
      </ul>
      {count > examples.length && (
        <Text size="sm" c="dimmed">
          {`and ${formatCount(count - examples.length)} more`}
        </Text>
      )}
    </Stack>
  )
}

function Place({ example: { file, line, found, excerpt } }: { example: Example }) {
  return (
    <>
      <Text size="xs" c="dimmed">
        {line === undefined ? file : `${file}:${line}`}
      </Text>
      <Text size="sm">{found}</Text>
      {excerpt && (
        <Code className={classes.excerpt} tabIndex={0}>
          {excerpt}
        </Code>
      )}
    </>
  )
}

/** Our own text, with code between backticks. */
function withCode(text: string) {
  return text.split('`').map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      <Code key={part} c="inherit">
        {part}
      </Code>
    ),
  )
}
