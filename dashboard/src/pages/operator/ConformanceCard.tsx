import { Badge, Card, Group, Stack, Text, Title } from '@mantine/core'
import {
  type ConformanceResult,
  conformanceVerdict,
  RESULT_NAMES,
  SOURCE_NAMES,
  STATEMENT_SOURCES,
} from '../../../../src/shared/conformance-labels.ts'
import type { Conformance, StatementResult } from '../../../../src/shared/contract/feed-checks.ts'
import { formatCount } from '../../components/format.ts'
import { FindingPlace, withCode } from './FindingPlace.tsx'
import classes from './operator.module.css'

const COLORS: Readonly<Record<ConformanceResult, string>> = { met: 'teal', 'not-met': 'red', unchecked: 'gray' }

/** The statements of a profile with their results; those that are not met are open. */
export function ConformanceCard({ conformance }: { conformance: Conformance }) {
  return (
    <Card component="section" aria-labelledby="conformance">
      <Title order={2} id="conformance" mb={4}>
        Conformance
      </Title>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {conformanceVerdict(conformance)}
      </Text>
      {STATEMENT_SOURCES.map((source) => (
        <div key={source}>
          <Title order={3} size="sm" mt="md" mb="xs">
            {SOURCE_NAMES[source]}
          </Title>
          <Stack gap="xs">
            {conformance.statements
              .filter((one) => one.source === source)
              .map((statement) => (
                <Statement key={statement.id} statement={statement} />
              ))}
          </Stack>
        </div>
      ))}
    </Card>
  )
}

function Statement({ statement }: { statement: StatementResult }) {
  const { id, level, result, text, clause, reason, rules, evidence, count } = statement
  return (
    <details className={classes.finding} open={result === 'not-met'}>
      <summary>
        <span className={classes.rule}>{id}</span>{' '}
        <Badge variant="light" color={COLORS[result]} size="sm">
          {RESULT_NAMES[result]}
        </Badge>{' '}
        <Text span size="sm">
          {withCode(text)}
        </Text>
      </summary>
      <Stack gap="sm" mt="sm">
        <Text size="xs" c="dimmed">
          {`${level}. Clause: ${clause}.${rules.length > 0 ? ` Tested by ${rules.join(', ')}.` : ''}`}
        </Text>
        {reason !== undefined && <Text size="sm">{`Why: ${reason}.`}</Text>}
        {evidence.length > 0 && (
          <ul className={classes.examples}>
            {evidence.map((example) => (
              <li key={`${example.file} ${example.line} ${example.found}`}>
                <FindingPlace example={example} />
              </li>
            ))}
          </ul>
        )}
        {count > evidence.length && (
          <Group>
            <Text size="sm" c="dimmed">{`and ${formatCount(count - evidence.length)} more`}</Text>
          </Group>
        )}
      </Stack>
    </details>
  )
}
