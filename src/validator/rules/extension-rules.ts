import { valueCode, valueText } from '../../feeds/fhir/extension.ts'
import { phoneFault, phoneText } from '../../feeds/fhir/phone.ts'
import { stateCode } from '../../feeds/fhir/state.ts'
import { webLink } from '../../feeds/fhir/web-link.ts'
import { asObject, objectsIn } from '../../lib/json.ts'
import type { Generation } from '../../shared/check-report-labels.ts'
import {
  GUIDE_ROOT,
  isKnownRoot,
  isKnownUrl,
  isMisspelt,
  KNOWN_EXTENSIONS,
  OLD_ROOT,
} from '../known-extensions.ts'
import { got, textOrNothing, valueKeyOf } from '../quoted-value.ts'
import type { Rule } from '../rule.ts'
import type { ExtensionSubject } from './extension-subject.ts'

const BEFORE_GUIDE: readonly Generation[] = ['vaccine-2021', 'draft-2025']
const GUIDE: readonly Generation[] = ['stu1']

const path = ({ at }: ExtensionSubject, key: string) => `extension[${at}].${key}`
const said = (subject: ExtensionSubject) => {
  const key = valueKeyOf(subject.extension)
  return got(path(subject, key ?? 'value[x]'), key === undefined ? undefined : subject.extension[key])
}

/** Makes a rule look at extensions of one name alone. */
function named(name: string, rule: Rule<ExtensionSubject>): Rule<ExtensionSubject> {
  return { ...rule, find: (subject) => (subject.name === name ? rule.find(subject) : undefined) }
}

/** What every extension must be. */
const OF_ALL: readonly Rule<ExtensionSubject>[] = [
  {
    id: 'extension-value',
    severity: 'warning',
    right: 'an extension has either one `value[x]` or nested extensions',
    source: 'FHIR R4: Extension, ext-1',
    find: (subject) => {
      const keys = Object.keys(subject.extension).filter((key) => /^value[A-Z]/.test(key))
      const parts = subject.extension.extension === undefined ? 0 : 1
      return keys.length + parts === 1
        ? undefined
        : got(path(subject, 'value[x]'), keys.join(', ') || (parts === 0 ? undefined : 'extension'))
    },
  },
  {
    id: 'extension-url',
    severity: 'warning',
    right:
      'the URL of an extension is that of its specification; extensions are recognized by the last part of the URL',
    source: 'FHIR R4: Extension.url',
    find: (subject) =>
      KNOWN_EXTENSIONS[subject.name] !== undefined && !isKnownUrl(subject.extension.url, subject.name)
        ? got(path(subject, 'url'), subject.extension.url)
        : undefined,
  },
  {
    id: 'extension-name',
    severity: 'warning',
    right: 'an extension of SMART Scheduling Links is defined by a generation; others are not read',
    source: 'Slot file, Schedule file: extensions',
    find: (subject) =>
      KNOWN_EXTENSIONS[subject.name] === undefined &&
      (isKnownRoot(subject.extension.url) || isMisspelt(subject.name))
        ? got(path(subject, 'url'), subject.extension.url)
        : undefined,
  },
  {
    id: 'extension-place',
    severity: 'warning',
    right: 'an extension is on the resource type for which it is defined; elsewhere it is not read',
    source: 'Guide: extension contexts',
    find: (subject) => {
      const types = KNOWN_EXTENSIONS[subject.name]?.types
      return types === undefined || types.includes(subject.type)
        ? undefined
        : got(path(subject, 'url'), `${subject.name} on a ${subject.type}`)
    },
  },
  {
    id: 'extension-repeated',
    severity: 'warning',
    right: 'an extension that must not repeat occurs once; the first one is used',
    source: 'Guide: Slot profile',
    find: (subject) =>
      subject.repeated && KNOWN_EXTENSIONS[subject.name]?.repeats === false
        ? got(path(subject, 'url'), subject.extension.url)
        : undefined,
  },
  {
    id: 'extension-of-the-guide',
    severity: 'warning',
    generations: GUIDE,
    right: `extensions that the guide defines have its root: \`${GUIDE_ROOT}\``,
    source: 'Guide: extensions',
    find: (subject) =>
      KNOWN_EXTENSIONS[subject.name]?.inGuide === true &&
      textOrNothing(subject.extension.url).startsWith(OLD_ROOT)
        ? got(path(subject, 'url'), subject.extension.url)
        : undefined,
  },
]

/** What the extensions of a Slot must be. */
const OF_SLOTS: readonly Rule<ExtensionSubject>[] = [
  named('booking-deep-link', {
    id: 'booking-deep-link-url',
    severity: 'error',
    right: 'the booking link is an absolute http or https URL without user and password; others are dropped',
    source: 'Slot file: booking-deep-link; RFC 9110, 4.2',
    find: (subject) =>
      webLink(valueText(subject.extension) ?? '') === undefined ? said(subject) : undefined,
  }),
  named('booking-deep-link', {
    id: 'booking-deep-link-type',
    severity: 'warning',
    right: 'the booking link is a `valueUrl`',
    source: 'Slot file: booking-deep-link',
    find: (subject) => (typeof subject.extension.valueUrl === 'string' ? undefined : said(subject)),
  }),
  named('booking-phone', {
    id: 'booking-phone-number',
    severity: 'error',
    right: 'the booking phone is a telephone number; invalid numbers are dropped',
    source: 'Slot file: booking-phone',
    find: (subject) =>
      phoneText(valueText(subject.extension) ?? '') === undefined ? said(subject) : undefined,
  }),
  named('booking-phone', {
    id: 'booking-phone-digits',
    severity: 'warning',
    right: 'a telephone number of the US has ten digits',
    source: 'North American Numbering Plan',
    find: (subject) => {
      const text = phoneText(valueText(subject.extension) ?? '')
      const fault = text === undefined ? undefined : phoneFault(text)
      return fault === undefined ? undefined : `${got(path(subject, 'value[x]'), text)}, ${fault}`
    },
  }),
  named('booking-phone', {
    id: 'booking-phone-string',
    severity: 'warning',
    generations: BEFORE_GUIDE,
    right: 'the booking phone is a `valueString`',
    source: 'Slot file: booking-phone',
    find: (subject) => (typeof subject.extension.valueString === 'string' ? undefined : said(subject)),
  }),
  named('booking-phone', {
    id: 'booking-phone-contact-point',
    severity: 'warning',
    generations: GUIDE,
    right: 'the booking phone is a `valueContactPoint` with system `phone` and a value',
    source: 'Guide: booking-phone; change log FHIR-57224',
    find: (subject) => {
      const { system, value } = asObject(subject.extension.valueContactPoint) ?? {}
      return system === 'phone' && typeof value === 'string' ? undefined : said(subject)
    },
  }),
  named('slot-capacity', {
    id: 'slot-capacity-number',
    severity: 'error',
    right: 'the capacity is an integer from 0; others are dropped',
    source: 'Slot file: slot-capacity',
    find: (subject) => {
      const key = valueKeyOf(subject.extension)
      const value = key === undefined ? undefined : subject.extension[key]
      const number = typeof value === 'string' && /^\s*\d{1,9}\s*$/.test(value) ? Number(value) : value
      return Number.isSafeInteger(number) && Number(number) >= 0 ? undefined : said(subject)
    },
  }),
  named('slot-capacity', {
    id: 'slot-capacity-type',
    severity: 'warning',
    right: 'the capacity is a `valueInteger`',
    source: 'Slot file: slot-capacity',
    find: (subject) => (typeof subject.extension.valueInteger === 'number' ? undefined : said(subject)),
  }),
  named('slot-capacity', {
    id: 'slot-capacity-of-2021',
    severity: 'hint',
    generations: GUIDE,
    right: 'the guide has no capacity: each place is a separate slot',
    source: 'Guide: Slot profile',
    find: (subject) => said(subject),
  }),
  named('patient-type', {
    id: 'patient-type-code',
    severity: 'error',
    right: 'the patient type is `newpt`, `existptonly`, `existptfam` or `nopt`; others are dropped',
    source: 'Guide: patient-type',
    find: (subject) => (PATIENT_TYPES.has(valueCode(subject.extension) ?? '') ? undefined : said(subject)),
  }),
  named('patient-type', {
    id: 'patient-type-coding',
    severity: 'warning',
    right: 'the patient type is a `valueCoding` with its system and code',
    source: 'Guide: patient-type',
    find: (subject) => {
      const { system, code } = asObject(subject.extension.valueCoding) ?? {}
      return typeof system === 'string' && typeof code === 'string' ? undefined : said(subject)
    },
  }),
  named('patient-type', {
    id: 'patient-type-closed',
    severity: 'hint',
    right: 'a slot that accepts no patients is removed from the feed; it is never served',
    source: 'Guide: patient-type',
    find: (subject) => (valueCode(subject.extension) === 'nopt' ? said(subject) : undefined),
  }),
]

const PATIENT_TYPES: ReadonlySet<string> = new Set(['newpt', 'existptonly', 'existptfam', 'nopt'])

/** What the extensions of Schedules and Locations must be. */
const OF_THE_DIRECTORY: readonly Rule<ExtensionSubject>[] = [
  named('licensed-states', {
    id: 'licensed-states-code',
    severity: 'error',
    right: 'each licensed state is a US state; others are dropped',
    source: 'Guide: licensed-states',
    find: (subject) => {
      const texts = (valueText(subject.extension) ?? '').split(/[,;|]/)
      return texts.every((text) => stateCode(text) !== undefined) ? undefined : said(subject)
    },
  }),
  named('licensed-states', {
    id: 'licensed-states-string',
    severity: 'warning',
    right: 'each licensed state is a separate `valueString` of two letters',
    source: 'Guide: licensed-states',
    find: (subject) =>
      /^[A-Z]{2}$/.test(textOrNothing(subject.extension.valueString)) ? undefined : said(subject),
  }),
  {
    id: 'schedule-specialty-coding',
    severity: 'warning',
    right: 'the specialty is a `valueCoding` with its system and code',
    source: 'Guide: schedule-specialty',
    find: (subject) =>
      /^(?:schedule-)?specialty$/.test(subject.name) && !isWholeCoding(subject.extension.valueCoding)
        ? said(subject)
        : undefined,
  },
  named('specialty', {
    id: 'specialty-renamed',
    severity: 'warning',
    generations: GUIDE,
    right: 'the extension `specialty` of the draft is called `schedule-specialty` in the guide',
    source: 'Guide: schedule-specialty; change log FHIR-57396',
    find: (subject) => got(path(subject, 'url'), subject.extension.url),
  }),
  named('vaccine-product', {
    id: 'vaccine-product-coding',
    severity: 'warning',
    right: 'the product is a `valueCoding` with its system and code; it is not read',
    source: 'Schedule file: vaccine-product',
    find: (subject) => (isWholeCoding(subject.extension.valueCoding) ? undefined : said(subject)),
  }),
  named('vaccine-dose', {
    id: 'vaccine-dose-number',
    severity: 'hint',
    right: 'the dose is a `valueInteger` of 1 or 2; it is not read',
    source: 'Schedule file: vaccine-dose',
    find: (subject) => ([1, 2].includes(Number(subject.extension.valueInteger)) ? undefined : said(subject)),
  }),
]

/** What extensions must be. */
export const EXTENSION_RULES: readonly Rule<ExtensionSubject>[] = [
  ...OF_ALL,
  ...OF_SLOTS,
  ...OF_THE_DIRECTORY,
]

function isWholeCoding(value: unknown): boolean {
  const [coding] = objectsIn(value)
  return typeof coding?.system === 'string' && typeof coding.code === 'string'
}
