import { Code, NativeSelect, Text } from '@mantine/core'
import { Fragment } from 'react'
import type { SourceView } from '../../../../src/shared/source-shapes.ts'
import { REVIEW_POLICIES, type ReviewPolicy } from '../../../../src/store/contracts/source-watch.ts'
import { CopyField } from '../../components/CopyButton.tsx'
import { formatCount, formatDuration } from '../../components/format.ts'
import { Statistics } from '../../components/Statistics.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import classes from './operator.module.css'
import { NextSync } from './SourceList.tsx'
import { FORMAT_NAMES, HOLD_NAMES, OUTCOME_NAMES, optionRows } from './source-labels.ts'
import type { SourceMutations } from './use-source-mutations.ts'

/** The slots of a source, its three clocks, and when it is synced next. */
export function SourceStatistics({ source }: { source: SourceView }) {
  const { lastSync, lastCheckedAtMs, publishedAtMs, changedAtMs } = source
  return (
    <Statistics
      items={[
        { name: 'Slots', value: formatCount(source.slotCount), note: 'of any status' },
        {
          name: 'Looked',
          value: inWords(lastCheckedAtMs, 'Never'),
          note: lastSync
            ? `last sync: ${OUTCOME_NAMES[lastSync.outcome]} in ${formatDuration(lastSync.durationMs)}`
            : 'when we last could read it',
        },
        {
          name: 'Published',
          value: inWords(publishedAtMs, 'Not said'),
          note: 'when its publisher says it is from',
        },
        { name: 'Changed', value: inWords(changedAtMs, 'Never'), note: 'when its slots last did' },
        {
          name: 'Next sync',
          value: <NextSync source={source} />,
          note: source.failures > 0 && `after ${formatCount(source.failures)} failed in a row`,
        },
      ]}
    />
  )
}

function inWords(atMs: number | undefined, absent: string) {
  return atMs === undefined ? absent : <Timestamp at={atMs} as="ago" />
}

/** What operators said of it. */
export function SourceSettings({ source, changes }: { source: SourceView; changes: SourceMutations }) {
  return (
    <dl className={classes.facts}>
      {source.name !== undefined && (
        <>
          <dt>Slug</dt>
          <dd>{source.slug}</dd>
        </>
      )}
      <dt>Format</dt>
      <dd>{FORMAT_NAMES[source.format]}</dd>
      {source.format === 'files' ? <OfFiles /> : <OfFeed source={source} changes={changes} />}
      <dt>Reading</dt>
      <dd>
        {source.strict ? 'Strict' : 'Lenient'}
        <Text size="xs" c="dimmed">
          {source.strict
            ? 'What the specification forbids is rejected.'
            : 'Known deviations are read; only what cannot be a slot is rejected.'}
        </Text>
      </dd>
      <dt>Added</dt>
      <dd>
        <Timestamp at={source.createdAtMs} />
      </dd>
    </dl>
  )
}

function OfFeed({ source, changes }: { source: SourceView; changes: SourceMutations }) {
  const { url, everyMinutes, format, options } = source
  return (
    <>
      <dt>Address</dt>
      <dd>
        <CopyField
          value={url}
          label={format === 'fhir-search' ? 'Address of the server' : 'Address of the manifest'}
        />
      </dd>
      {options !== undefined && <OfOptions options={options} />}
      <dt>Held back</dt>
      <dd>
        <NativeSelect
          aria-label="What is held back"
          aria-describedby="hold-words"
          maw={280}
          value={source.hold}
          onChange={({ currentTarget: { value } }) => changes.setHold(source.slug, value as ReviewPolicy)}
          data={HOLDS_NAMED}
        />
        <Text size="xs" c="dimmed" mt={4} id="hold-words">
          What is held back changes nothing until you accept it: the last good slots stay served.
        </Text>
      </dd>
      <dt>Synced</dt>
      <dd>{everyMinutes === undefined ? 'As often as its publisher says' : everyWords(everyMinutes)}</dd>
    </>
  )
}

/** By their names: values may belong to nobody else. */
function OfOptions({ options }: { options: NonNullable<SourceView['options']> }) {
  return optionRows(options).map(({ name, names }) => (
    <Fragment key={name}>
      <dt>{name}</dt>
      <dd>
        {names.map((one, n) => (
          <Fragment key={one}>
            {n > 0 && ', '}
            <Code>{one}</Code>
          </Fragment>
        ))}
      </dd>
    </Fragment>
  ))
}

const HOLDS_NAMED = REVIEW_POLICIES.map((value) => ({ value, label: HOLD_NAMES[value] }))

function OfFiles() {
  return (
    <>
      <dt>Slots</dt>
      <dd>Those of the file that was imported last</dd>
    </>
  )
}

function everyWords(minutes: number): string {
  return minutes === 1 ? 'Every minute' : `Every ${formatCount(minutes)} minutes`
}
