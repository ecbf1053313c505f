import type { Definition } from './compile-profiles.ts'

/** A value with a required binding: a code, Coding or CodeableConcept. */
export interface Token {
  readonly path: string
  readonly type: string
  readonly value: unknown
}

interface Concept {
  readonly code: string
  readonly concept?: readonly Concept[]
}

interface Include {
  readonly system?: string
  readonly concept?: readonly Concept[]
  readonly filter?: unknown
  readonly valueSet?: readonly string[]
}

interface Coded {
  readonly system?: string
  readonly code?: string
}

/** Value sets that are lists of codes. Those that are defined otherwise have every code. */
export class ValueSets {
  readonly #definitions: ReadonlyMap<string, Definition>
  readonly #codes = new Map<string, ReadonlySet<string> | undefined>()

  constructor(definitions: readonly Definition[]) {
    this.#definitions = new Map(definitions.map((each) => [`${each.resourceType} ${each.url}`, each]))
  }

  /** Which codes are not in the value set that they must be from. */
  faultsOf(tokens: Readonly<Record<string, readonly Token[]>>): string[] {
    return Object.entries(tokens).flatMap(([url, values]) => {
      const [name] = url.split('|')
      if (!this.#codes.has(name)) this.#codes.set(name, this.#codesOf(name))
      const codes = this.#codes.get(name)
      const wrong = codes && values.filter(({ value }) => codedIn(value).some(({ code }) => code && !codes.has(code)))
      return (wrong ?? []).map(({ path, value }) => `${path}: ${JSON.stringify(value)} is not in ${name}`)
    })
  }

  #codesOf(url: string): ReadonlySet<string> | undefined {
    const definition = this.#definitions.get(`ValueSet ${url}`)
    const { include } = (definition?.compose ?? { include: [{ filter: 'unknown' }] }) as { include: readonly Include[] }
    const all = include.map((each) => this.#includedBy(each))
    return all.every((codes) => codes !== undefined) ? new Set(all.flat()) : undefined
  }

  #includedBy({ system, concept, filter, valueSet }: Include): readonly string[] | undefined {
    if (filter !== undefined || valueSet !== undefined) return undefined
    if (concept !== undefined) return concept.map(({ code }) => code)
    const known = this.#definitions.get(`CodeSystem ${system}`)
    return known?.content === 'complete' ? codesIn(known.concept as readonly Concept[]) : undefined
  }
}

function codesIn(concepts: readonly Concept[] = []): string[] {
  return concepts.flatMap(({ code, concept }) => [code, ...codesIn(concept)])
}

function codedIn(value: unknown): readonly Coded[] {
  if (typeof value !== 'object' || value === null) return [{ code: String(value) }]
  return 'coding' in value && Array.isArray(value.coding) ? value.coding : [value]
}
