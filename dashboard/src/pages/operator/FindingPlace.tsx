import { Code, Text } from '@mantine/core'
import type { Example } from '../../../../src/shared/contract/feed-checks.ts'
import classes from './operator.module.css'

/** A finding with its file and line. */
export function FindingPlace({ example: { file, line, found, excerpt } }: { example: Example }) {
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

/** Renders text between backticks as code. */
export function withCode(text: string) {
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
