import { z } from 'zod'
import type { SourceFormat } from '../../../feeds/connector.ts'
import { editOptions } from '../../../feeds/edit-options.ts'
import {
  InvalidSourceOptions,
  parseSourceOptions,
  type SourceOptions,
} from '../../../feeds/source-options.ts'
import { MINUTE_MS } from '../../../lib/time.ts'
import { invalidField } from '../../../shared/dashboard-problem.ts'
import { REVIEW_POLICIES } from '../../../store/contracts/source-watch.ts'
import type { NewSource, SourceEdit, SourceOverview } from '../../../store/contracts/sources.ts'
import { EVERY_MINUTES_MAX, EVERY_MUST, faultOfFeedUrl, faultOfSlug } from '../../../store/sql/source-form.ts'
import { oneLine } from '../read-form.ts'

/** What a source is added by. */
export function readNewSource(form: z.infer<typeof SOURCE>): NewSource {
  const { slug, name, format = 'smart-links', strict = false, everyMinutes } = form
  return {
    slug,
    ...(name !== undefined && { name }),
    format,
    url: new URL(form.url).href,
    options: refusing(() => parseSourceOptions(format, form.options ?? {})),
    strict,
    ...(everyMinutes !== undefined && { everyMs: everyMinutes * MINUTE_MS }),
  }
}

/** What a source is to be, by what it is. Throws `DashboardProblem`. */
export function readEdit({ format, options: before }: SourceOverview, form: EditForm): SourceEdit {
  const { name, url, options, strict, everyMinutes } = form
  if (format === 'files') refuseOfFeeds(form)
  return {
    ...(name !== undefined && { name }),
    ...(url !== undefined && { url: new URL(url).href }),
    ...(options !== undefined && { options: refusing(() => editOptions(format, before, options)) }),
    ...(strict !== undefined && { strict }),
    ...(everyMinutes !== undefined && { everyMs: everyMinutes === null ? null : everyMinutes * MINUTE_MS }),
  }
}

/** The fields of a source that `readEdit` takes; null ends what need not be. */
export type EditForm = Omit<z.infer<typeof CHANGES>, 'paused' | 'hold' | 'slug' | 'format'>

/** The address of a feed. */
export const FEED_URL: z.ZodType<string> = must('The URL', faultOfFeedUrl)

/** Sources of the other format are made by the import of a file. */
const FETCHED = ['smart-links', 'fhir-search'] as const satisfies readonly SourceFormat[]

const NAME = oneLine('The name', 200)
const STRICT = z.boolean({ error: 'Strict must be true or false.' })
const EVERY_MINUTES = z
  .int({ error: `The interval ${EVERY_MUST}.` })
  .min(1, `The interval ${EVERY_MUST}.`)
  .max(EVERY_MINUTES_MAX, `The interval ${EVERY_MUST}.`)

/** The body of an addition. */
export const SOURCE = z.strictObject({
  slug: must('The slug', faultOfSlug),
  name: NAME.optional(),
  format: z.enum(FETCHED, { error: `The format must be ${FETCHED.join(' or ')}.` }).optional(),
  url: FEED_URL,
  options: z.unknown().optional(),
  strict: STRICT.optional(),
  everyMinutes: EVERY_MINUTES.optional(),
})

/** The body of a change. */
export const CHANGES = z.strictObject({
  paused: z.boolean({ error: 'Paused must be true or false.' }).optional(),
  hold: z.enum(REVIEW_POLICIES, { error: `Hold must be one of ${REVIEW_POLICIES.join(', ')}.` }).optional(),
  slug: z.never({ error: 'The slug cannot be changed: the ids of its slots hang on it.' }).optional(),
  format: z.never({ error: 'The format cannot be changed. Please add another source.' }).optional(),
  name: NAME.nullable().optional(),
  url: FEED_URL.optional(),
  options: z.unknown().optional(),
  strict: STRICT.optional(),
  everyMinutes: EVERY_MINUTES.nullable().optional(),
})

function refuseOfFeeds(form: EditForm): void {
  const field = (['url', 'options', 'everyMinutes'] as const).find((each) => form[each] !== undefined)
  if (field !== undefined)
    throw invalidField('This source has what was imported last: nobody is asked for it.', field)
}

function refusing(read: () => SourceOptions): SourceOptions {
  try {
    return read()
  } catch (fault) {
    if (fault instanceof InvalidSourceOptions)
      throw invalidField(`Options: ${fault.message}.`, `options.${fault.field}`)
    throw fault
  }
}

function must(what: string, faultOf: (text: string) => string | undefined): z.ZodType<string> {
  return z.string({ error: `${what} must be a text.` }).check((context) => {
    const fault = faultOf(context.value)
    if (fault === undefined) return
    context.issues.push({ code: 'custom', input: context.value, message: `${what} ${fault}.` })
  })
}
