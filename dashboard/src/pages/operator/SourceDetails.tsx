import { Code, NativeSelect, Text } from '@mantine/core'
import { Fragment } from 'react'
import type { SourceDetail, SourceView } from '../../../../src/shared/contract/sources.ts'
import { REVIEW_POLICIES, type ReviewPolicy } from '../../../../src/shared/source-vocabulary.ts'
import { useIsOperator } from '../../api/session.ts'
import { CopyField } from '../../components/CopyButton.tsx'
import { formatCount, formatElapsed } from '../../components/format.ts'
import { Statistics } from '../../components/Statistics.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import classes from './operator.module.css'
import { NextSync } from './SourceList.tsx'
import { FORMAT_LABELS, OUTCOME_LABELS, optionRows, REVIEW_POLICY_LABELS } from './source-labels.ts'
import type { SourceMutations } from './use-source-mutations.ts'

/** A source's slots, timestamps and next sync. */
export function SourceStatistics({ source }: { source: SourceDetail }) {
  const { lastSync, lastRead, lastCheckedAtMs, publishedAtMs, changedAtMs } = source
  return (
    <Statistics
      items={[
        { name: 'Slots', value: formatCount(source.slotCount), note: 'all statuses' },
        ...(lastRead?.testSlots === undefined
          ? []
          : [{ name: 'Test data', value: formatCount(lastRead.testSlots), note: 'slots, not served' }]),
        {
          name: 'Rejected',
          value: formatCount(lastRead?.rejected ?? 0),
          note: lastRead === undefined ? 'lines' : `of ${formatCount(lastRead.read)} lines`,
        },
        {
          name: 'Last checked',
          value: agoOr(lastCheckedAtMs, 'Never'),
          note: lastSync
            ? `last sync: ${OUTCOME_LABELS[lastSync.outcome]} in ${formatElapsed(lastSync.durationMs)}`
            : 'last successful read',
        },
        {
          name: 'Feed timestamp',
          value: agoOr(publishedAtMs, 'Not provided'),
          note: 'provided by the publisher',
        },
        { name: 'Referrals', value: formatCount(source.referrals), note: 'to its booking pages, last 30 days' },
        { name: 'Last change', value: agoOr(changedAtMs, 'Never'), note: 'of its slots' },
        {
          name: 'Next sync',
          value: <NextSync source={source} />,
          note: source.failures > 0 && `after ${formatCount(source.failures)} consecutive failures`,
        },
      ]}
    />
  )
}

function agoOr(atMs: number | undefined, absent: string) {
  return atMs === undefined ? absent : <Timestamp at={atMs} as="ago" />
}

/** The settings of a source. */
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
      <dd>{FORMAT_LABELS[source.format]}</dd>
      {source.format === 'files' ? <FileSettings /> : <FeedSettings source={source} changes={changes} />}
      <dt>Validation</dt>
      <dd>
        {source.strict ? 'Strict' : 'Lenient'}
        <Text size="xs" c="dimmed">
          {source.strict
            ? 'Everything that the specification forbids is rejected.'
            : 'Known deviations are accepted; only lines that are not valid slots are rejected.'}
        </Text>
      </dd>
      <dt>Maximum number of slots</dt>
      <dd>{source.slotsMax === undefined ? 'A quarter of the service' : formatCount(source.slotsMax)}</dd>
      <dt>Added</dt>
      <dd>
        <Timestamp at={source.createdAtMs} />
      </dd>
    </dl>
  )
}

function FeedSettings({ source, changes }: { source: SourceView; changes: SourceMutations }) {
  const { url, everyMinutes, format, options } = source
  return (
    <>
      <dt>URL</dt>
      <dd>
        <CopyField value={url} label={format === 'fhir-search' ? 'Server URL' : 'Manifest URL'} />
      </dd>
      {options !== undefined && <OptionSettings options={options} />}
      <dt>Hold for review</dt>
      <dd>
        <NativeSelect
          aria-label="Hold for review"
          aria-describedby="hold-note"
          maw={280}
          value={source.hold}
          disabled={!useIsOperator()}
          onChange={({ currentTarget: { value } }) => changes.setHold(source.slug, value as ReviewPolicy)}
          data={REVIEW_POLICY_OPTIONS}
        />
        <Text size="xs" c="dimmed" mt={4} id="hold-note">
          Held data is not published until you approve it. Until then, the previous slots stay available.
        </Text>
      </dd>
      <dt>Sync interval</dt>
      <dd>{everyMinutes === undefined ? 'Set by the publisher' : intervalLabel(everyMinutes)}</dd>
    </>
  )
}

/** Names only, because values may be confidential. */
function OptionSettings({ options }: { options: NonNullable<SourceView['options']> }) {
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

const REVIEW_POLICY_OPTIONS = REVIEW_POLICIES.map((value) => ({ value, label: REVIEW_POLICY_LABELS[value] }))

function FileSettings() {
  return (
    <>
      <dt>Slots</dt>
      <dd>From the most recently imported file</dd>
    </>
  )
}

function intervalLabel(minutes: number): string {
  return minutes === 1 ? 'Every minute' : `Every ${formatCount(minutes)} minutes`
}
