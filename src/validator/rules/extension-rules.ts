import { phoneText, valueCode, valueText, webLink } from '../../feeds/fhir/data-types.ts'
import { asObject, type Json, objectsIn } from '../../lib/json.ts'
import type { Generation } from '../../shared/check-report-labels.ts'
import { regionCode } from '../../slot/region.ts'
import {
  type ExtensionSubject,
  GUIDE_ROOT,
  hasKnownRoot,
  isKnownUrl,
  isMisspelt,
  KNOWN_EXTENSIONS,
  type KnownExtension,
  OLD_ROOT,
  valueKeyOf,
} from '../extensions.ts'
import { phoneFault } from '../phone-numbers.ts'
import { errorRule, hintRule, quote, quoteIf, type Rule, saysWhyAbsent, stringOrEmpty, warningRule } from '../rule.ts'

const BEFORE_GUIDE: readonly Generation[] = ['vaccine-2021', 'draft-2025']
const GUIDE: readonly Generation[] = ['stu1']

const PATIENT_TYPE_SYSTEM = 'http://terminology.hl7.org/CodeSystem/accepting-patients'

const path = ({ at }: ExtensionSubject, key: string) => `extension[${at}].${key}`

/** The check of the value of an extension. */
function extensionValue(violates: (extension: Json, value: unknown) => boolean) {
  return (subject: ExtensionSubject) => {
    const { extension } = subject
    const key = valueKeyOf(extension)
    const value = key === undefined ? undefined : extension[key]
    return violates(extension, value) ? quote(path(subject, key ?? 'value[x]'), value) : undefined
  }
}

/** The check of the URL of an extension, for which `known` is its definition. */
function extensionUrl(violates: (subject: ExtensionSubject, known: KnownExtension | undefined) => boolean) {
  return (subject: ExtensionSubject) => {
    const isViolated = violates(subject, KNOWN_EXTENSIONS[subject.name])
    return quoteIf(isViolated, path(subject, 'url'), subject.extension.url)
  }
}

/** Restricts rules to extensions with these names. */
function named(names: string | readonly string[], rules: readonly Rule<ExtensionSubject>[]): Rule<ExtensionSubject>[] {
  const chosen = new Set([names].flat())
  const find = (rule: Rule<ExtensionSubject>) => (subject: ExtensionSubject) =>
    chosen.has(subject.name) ? rule.find(subject) : undefined
  return rules.map((rule) => ({ ...rule, find: find(rule) }))
}

/** Rules for all extensions. */
const COMMON_RULES: readonly Rule<ExtensionSubject>[] = [
  warningRule('extension-value', {
    right: 'an extension has either one `value[x]` or nested extensions',
    source: 'FHIR R4: Extension, ext-1',
    find: (subject) => {
      const values = Object.keys(subject.extension).filter((key) => /^_?value[A-Z]/.test(key))
      const keys = [...new Set(values.map((key) => key.replace('_', '')))]
      const parts = subject.extension.extension === undefined ? 0 : 1
      return keys.length + parts === 1
        ? undefined
        : quote(path(subject, 'value[x]'), keys.join(', ') || (parts === 0 ? undefined : 'extension'))
    },
  }),
  warningRule('extension-url', {
    right:
      'the URL of an extension is that of its specification; extensions are recognized by the last part of the URL',
    source: 'FHIR R4: Extension.url',
    find: extensionUrl(({ name, extension }, known) => known?.anyRoot === false && !isKnownUrl(extension.url, name)),
  }),
  warningRule('extension-name', {
    right: 'an extension of SMART Scheduling Links is defined by a generation; others are not read',
    source: 'Slot file, Schedule file: extensions',
    find: extensionUrl(
      ({ name, extension }, known) => known === undefined && (hasKnownRoot(extension.url) || isMisspelt(name)),
    ),
  }),
  warningRule('extension-place', {
    right: 'an extension is on the resource type for which it is defined; elsewhere it is not read',
    source: 'Guide: extension contexts',
    find: (subject) => {
      const { name, type } = subject
      const isElsewhere = KNOWN_EXTENSIONS[name]?.types.includes(type) === false
      return quoteIf(isElsewhere, path(subject, 'url'), `${name} on a ${type}`)
    },
  }),
  warningRule('extension-repeated', {
    right: 'an extension that must not repeat occurs once; the first one is used',
    source: 'Guide: Slot profile',
    find: extensionUrl(({ repeated }, known) => repeated && known?.repeats === false),
  }),
  warningRule('extension-of-the-guide', {
    generations: GUIDE,
    right: `extensions that the guide defines have its root: \`${GUIDE_ROOT}\``,
    source: 'Guide: extensions',
    find: extensionUrl(
      ({ extension }, known) => known?.inGuide === true && stringOrEmpty(extension.url).startsWith(OLD_ROOT),
    ),
  }),
]

/** Rules for extensions of Slots. */
const SLOT_EXTENSION_RULES: readonly Rule<ExtensionSubject>[] = [
  ...named('booking-deep-link', [
    errorRule('booking-deep-link-url', {
      right: 'the booking link is an absolute http or https URL without user and password; others are dropped',
      source: 'Slot file: booking-deep-link; RFC 9110, 4.2',
      find: extensionValue((extension) => webLink(valueText(extension) ?? '') === undefined),
    }),
    warningRule('booking-deep-link-type', {
      right: 'the booking link is a `valueUrl`',
      source: 'Slot file: booking-deep-link',
      find: extensionValue(({ valueUrl }) => typeof valueUrl !== 'string'),
    }),
  ]),
  ...named('booking-phone', [
    errorRule('booking-phone-number', {
      right: 'the booking phone is a telephone number; invalid numbers are dropped',
      source: 'Slot file: booking-phone',
      find: extensionValue((extension) => phoneText(valueText(extension) ?? '') === undefined),
    }),
    warningRule('booking-phone-digits', {
      right: 'a telephone number of the US has ten digits; area code and exchange begin with 2 to 9',
      source: 'North American Numbering Plan',
      find: (subject) => {
        const text = phoneText(valueText(subject.extension) ?? '')
        const fault = text === undefined ? undefined : phoneFault(text)
        return fault === undefined ? undefined : `${quote(path(subject, 'value[x]'), text)}, ${fault}`
      },
    }),
    warningRule('booking-phone-string', {
      generations: BEFORE_GUIDE,
      right: 'the booking phone is a `valueString`',
      source: 'Slot file: booking-phone',
      find: extensionValue(({ valueString }) => typeof valueString !== 'string'),
    }),
    warningRule('booking-phone-contact-point', {
      generations: GUIDE,
      right: 'the booking phone is a `valueContactPoint` with system `phone` and a value',
      source: 'Guide: booking-phone; change log FHIR-57224',
      find: extensionValue(({ valueContactPoint }) => {
        const { system, value } = asObject(valueContactPoint) ?? {}
        return system !== 'phone' || typeof value !== 'string'
      }),
    }),
  ]),
  ...named('slot-capacity', [
    errorRule('slot-capacity-number', {
      right: 'the capacity is an integer from 0; others are dropped',
      source: 'Slot file: slot-capacity',
      find: extensionValue((_, value) => {
        const number = typeof value === 'string' && /^\s*\d{1,9}\s*$/.test(value) ? Number(value) : value
        return !Number.isSafeInteger(number) || Number(number) < 0
      }),
    }),
    warningRule('slot-capacity-type', {
      right: 'the capacity is a `valueInteger`',
      source: 'Slot file: slot-capacity',
      find: extensionValue(({ valueInteger }) => typeof valueInteger !== 'number'),
    }),
    hintRule('slot-capacity-of-2021', {
      generations: GUIDE,
      right: 'the guide has no capacity: each place is a separate slot',
      source: 'Guide: Slot profile',
      find: extensionValue(() => true),
    }),
  ]),
  ...named('patient-type', [
    errorRule('patient-type-code', {
      right: 'the patient type is `newpt`, `existptonly`, `existptfam` or `nopt`; others are dropped',
      source: 'Guide: patient-type',
      find: extensionValue(
        (extension) => !isAbsentForAReason(extension) && !PATIENT_TYPES.has(valueCode(extension) ?? ''),
      ),
    }),
    warningRule('patient-type-coding', {
      right: 'the patient type is a `valueCoding` with its system and code',
      source: 'Guide: patient-type',
      find: extensionValue(
        (extension) => !isAbsentForAReason(extension) && !isCompleteCoding(asObject(extension.valueCoding)),
      ),
    }),
    warningRule('patient-type-system', {
      generations: GUIDE,
      right: `the system of the patient type is \`${PATIENT_TYPE_SYSTEM}\``,
      source: 'Guide: patient-type',
      find: extensionValue(({ valueCoding }) => {
        const { system } = asObject(valueCoding) ?? {}
        return system !== undefined && system !== PATIENT_TYPE_SYSTEM
      }),
    }),
    hintRule('patient-type-closed', {
      right: 'a slot that accepts no patients is removed from the feed; it is never served',
      source: 'Guide: patient-type',
      find: extensionValue((extension) => valueCode(extension) === 'nopt'),
    }),
  ]),
]

/** The value or its code is absent, and a nested extension says why. */
function isAbsentForAReason(extension: Json): boolean {
  const coding = asObject(extension.valueCoding) ?? {}
  return [extension, coding, coding._code, extension._valueString].some(saysWhyAbsent)
}

const PATIENT_TYPES: ReadonlySet<string> = new Set(['newpt', 'existptonly', 'existptfam', 'nopt'])

/** Rules for extensions of Schedules and Locations. */
const DIRECTORY_EXTENSION_RULES: readonly Rule<ExtensionSubject>[] = [
  ...named('licensed-states', [
    errorRule('licensed-states-code', {
      right: 'each licensed state is a US state, or an ISO 3166-2 code; others are dropped',
      source: 'Guide: licensed-states',
      find: extensionValue(
        (extension) =>
          !isAbsentForAReason(extension) &&
          (valueText(extension) ?? '').split(/[,;|]/).some((text) => regionCode(text) === undefined),
      ),
    }),
    warningRule('licensed-states-string', {
      right: 'each licensed state is a separate `valueString`: two letters, elsewhere an ISO 3166-2 code',
      source: 'Guide: licensed-states',
      find: extensionValue(
        (extension) =>
          !isAbsentForAReason(extension) && !/^[A-Z]{2}(-[A-Z0-9]{1,3})?$/.test(stringOrEmpty(extension.valueString)),
      ),
    }),
  ]),
  ...named(
    ['schedule-specialty', 'specialty'],
    [
      warningRule('schedule-specialty-coding', {
        right: 'the specialty is a `valueCoding` with its system and code',
        source: 'Guide: schedule-specialty',
        find: extensionValue(({ valueCoding }) => !isCompleteOrAbsent(valueCoding)),
      }),
    ],
  ),
  ...named('specialty', [
    warningRule('specialty-renamed', {
      generations: GUIDE,
      right: 'the extension `specialty` of the draft is called `schedule-specialty` in the guide',
      source: 'Guide: schedule-specialty; change log FHIR-57396',
      find: extensionUrl(() => true),
    }),
  ]),
  ...named('vaccine-product', [
    warningRule('vaccine-product-coding', {
      right: 'the product is a `valueCoding` with its system and code; it is not read',
      source: 'Schedule file: vaccine-product',
      find: extensionValue(({ valueCoding }) => !isCompleteCoding(valueCoding)),
    }),
  ]),
  ...named('vaccine-dose', [
    hintRule('vaccine-dose-number', {
      right: 'the dose is a `valueInteger` of 1 or 2; it is not read',
      source: 'Schedule file: vaccine-dose',
      find: extensionValue(({ valueInteger }) => ![1, 2].includes(Number(valueInteger))),
    }),
  ]),
]

/** Rules for extensions. */
export const EXTENSION_RULES: readonly Rule<ExtensionSubject>[] = [
  ...COMMON_RULES,
  ...SLOT_EXTENSION_RULES,
  ...DIRECTORY_EXTENSION_RULES,
]

/** Whether a coding is complete or has a `data-absent-reason`. */
function isCompleteOrAbsent(value: unknown): boolean {
  const coding = asObject(value) ?? {}
  return [
    ['system', '_system'],
    ['code', '_code'],
  ].every(([name, absent]) => typeof coding[name] === 'string' || saysWhyAbsent(coding[absent]))
}

function isCompleteCoding(value: unknown): boolean {
  const [coding] = objectsIn(value)
  return typeof coding?.system === 'string' && typeof coding.code === 'string'
}
