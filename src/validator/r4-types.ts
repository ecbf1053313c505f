import { RESOURCE_TYPES } from '../slot/slot.ts'

/**
 * The elements of FHIR R4 (4.0.1) in feeds, as `name:type` with `!` for required, `*` for repeating and `+` for both.
 * `status:code=a|b` lists the codes of a required binding, `actor:Reference=A|B` the target types. Types that are not
 * listed here (`any`) are not checked.
 */
const DEFINITIONS: Readonly<Record<string, string>> = {
  Slot:
    'identifier:Identifier* serviceCategory:CodeableConcept* serviceType:CodeableConcept* specialty:CodeableConcept* ' +
    'appointmentType:CodeableConcept schedule:Reference!=Schedule status:code! start:instant! end:instant! overbooked:boolean ' +
    'comment:string',
  Schedule:
    'identifier:Identifier* active:boolean serviceCategory:CodeableConcept* serviceType:CodeableConcept* ' +
    'specialty:CodeableConcept* actor:Reference+=Patient|Practitioner|PractitionerRole|RelatedPerson|Device|HealthcareService|Location ' +
    'planningHorizon:Period comment:string',
  Location:
    'identifier:Identifier* status:code=active|suspended|inactive operationalStatus:Coding name:string alias:string* ' +
    'description:string mode:code=instance|kind type:CodeableConcept* telecom:ContactPoint* address:Address ' +
    'physicalType:CodeableConcept position:Position managingOrganization:Reference=Organization partOf:Reference=Location ' +
    'hoursOfOperation:HoursOfOperation* availabilityExceptions:string endpoint:Reference*=Endpoint',
  PractitionerRole:
    'identifier:Identifier* active:boolean period:Period practitioner:Reference=Practitioner organization:Reference=Organization ' +
    'code:CodeableConcept* specialty:CodeableConcept* location:Reference*=Location healthcareService:Reference*=HealthcareService ' +
    'telecom:ContactPoint* availableTime:AvailableTime* notAvailable:NotAvailable* availabilityExceptions:string endpoint:Reference*=Endpoint',
  Practitioner:
    'identifier:Identifier* active:boolean name:HumanName* telecom:ContactPoint* address:Address* ' +
    'gender:code=male|female|other|unknown birthDate:date photo:any* qualification:any* communication:CodeableConcept*',
  HealthcareService:
    'identifier:Identifier* active:boolean providedBy:Reference=Organization category:CodeableConcept* type:CodeableConcept* ' +
    'specialty:CodeableConcept* location:Reference*=Location name:string comment:string extraDetails:markdown photo:any ' +
    'telecom:ContactPoint* coverageArea:Reference*=Location serviceProvisionCode:CodeableConcept* eligibility:any* ' +
    'program:CodeableConcept* characteristic:CodeableConcept* communication:CodeableConcept* referralMethod:CodeableConcept* ' +
    'appointmentRequired:boolean availableTime:AvailableTime* notAvailable:NotAvailable* availabilityExceptions:string ' +
    'endpoint:Reference*=Endpoint',
  Identifier:
    'use:code=usual|official|temp|secondary|old type:CodeableConcept system:uri value:string period:Period ' +
    'assigner:Reference=Organization',
  CodeableConcept: 'coding:Coding* text:string',
  Coding: 'system:uri version:string code:code display:string userSelected:boolean',
  Reference: 'reference:string type:uri identifier:Identifier display:string',
  Period: 'start:dateTime end:dateTime',
  ContactPoint:
    'system:code=phone|fax|email|pager|url|sms|other value:string use:code=home|work|temp|old|mobile rank:positiveInt period:Period',
  Address:
    'use:code=home|work|temp|old|billing type:code=postal|physical|both text:string line:string* city:string district:string ' +
    'state:string postalCode:string country:string period:Period',
  HumanName:
    'use:code=usual|official|temp|nickname|anonymous|old|maiden text:string family:string given:string* prefix:string* ' +
    'suffix:string* period:Period',
  Position: 'longitude:decimal! latitude:decimal! altitude:decimal',
  HoursOfOperation: 'daysOfWeek:code*=mon|tue|wed|thu|fri|sat|sun allDay:boolean openingTime:time closingTime:time',
  AvailableTime:
    'daysOfWeek:code*=mon|tue|wed|thu|fri|sat|sun allDay:boolean availableStartTime:time availableEndTime:time',
  NotAvailable: 'description:string! during:Period',
  Narrative: 'status:code!=generated|extensions|additional|empty div:string!',
  Meta: 'versionId:id lastUpdated:instant source:uri profile:uri* security:Coding* tag:Coding*',
}

const RESOURCES: ReadonlySet<string> = new Set(RESOURCE_TYPES)

/** Elements of every resource, and of every other type. */
const RESOURCE_ELEMENTS =
  'resourceType:any id:any meta:Meta implicitRules:uri language:code text:Narrative contained:any* extension:Extension* modifierExtension:Extension*'
const COMMON_ELEMENTS = 'id:string extension:Extension* modifierExtension:Extension*'

/** One element of a type. */
export interface ElementRule {
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly repeats: boolean
  /** The codes of a binding, or the target types of a Reference. */
  readonly allowed?: ReadonlySet<string>
}

/** The elements of a type by name; undefined for a type that is not checked. */
export function elementsOf(type: string): ReadonlyMap<string, ElementRule> | undefined {
  return TYPES.get(type)
}

/** The required elements of a type. */
export function requiredOf(type: string): readonly ElementRule[] {
  return REQUIRED.get(type) ?? []
}

/** The definition of a primitive type; undefined for other types. */
export function primitive(type: string): Primitive | undefined {
  return PRIMITIVES[type]
}

/** A JSON type with its pattern or minimum. */
export interface Primitive {
  readonly is: 'string' | 'boolean' | 'number'
  readonly form?: RegExp
  readonly integerFrom?: number
}

const TIME = '(?:[01]\\d|2[0-3]):[0-5]\\d:(?:[0-5]\\d|60)(?:\\.\\d+)?'
const ZONE = '(?:Z|[+-](?:(?:0\\d|1[0-3]):[0-5]\\d|14:00))'
const DATE = '\\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\\d|3[01]))?)?'
const DAY = '\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])'

/** FHIR R4, 2.24.0.1: primitive types. A url is a uri; markdown is a string. */
const PRIMITIVES: Readonly<Record<string, Primitive>> = Object.assign(Object.create(null), {
  boolean: { is: 'boolean' },
  string: { is: 'string', form: /\S/ },
  markdown: { is: 'string', form: /\S/ },
  uri: { is: 'string', form: /^\S+$/ },
  url: { is: 'string', form: /^\S+$/ },
  canonical: { is: 'string', form: /^\S+$/ },
  code: { is: 'string', form: /^\S+(?:\s\S+)*$/ },
  id: { is: 'string', form: /^[A-Za-z0-9\-.]{1,64}$/ },
  instant: {
    is: 'string',
    form: new RegExp(`^${DAY}T${TIME}${ZONE}$`),
  },
  dateTime: {
    is: 'string',
    form: new RegExp(`^(?:${DATE}|${DAY}T${TIME}${ZONE})$`),
  },
  date: { is: 'string', form: new RegExp(`^${DATE}$`) },
  time: { is: 'string', form: new RegExp(`^${TIME}$`) },
  decimal: { is: 'number' },
  integer: { is: 'number', integerFrom: -(2 ** 31) },
  unsignedInt: { is: 'number', integerFrom: 0 },
  positiveInt: { is: 'number', integerFrom: 1 },
} satisfies Record<string, Primitive>)

const TYPES: ReadonlyMap<string, ReadonlyMap<string, ElementRule>> = new Map(
  Object.entries(DEFINITIONS).map(([type, text]) => {
    const own = text.split(' ').map(parseElement)
    const shared = (RESOURCES.has(type) ? RESOURCE_ELEMENTS : COMMON_ELEMENTS).split(' ').map(parseElement)
    return [type, new Map([...shared, ...own].map((element) => [element.name, element]))]
  }),
)

const REQUIRED: ReadonlyMap<string, readonly ElementRule[]> = new Map(
  [...TYPES].map(([type, elements]) => [type, [...elements.values()].filter(({ required }) => required)]),
)

function parseElement(text: string): ElementRule {
  const [, name = '', type = '', cardinality = '', allowed] = /^(\w+):(\w+)([!*+]?)(?:=(.*))?$/.exec(text) ?? []
  return {
    name,
    type,
    required: cardinality === '!' || cardinality === '+',
    repeats: cardinality === '*' || cardinality === '+',
    ...(allowed !== undefined && { allowed: new Set(allowed.split('|')) }),
  }
}
