import { isIP } from 'node:net'

/** The environment cannot be used: one line for each fault, all of them together. */
export class ConfigFault extends Error {
  override readonly name = 'ConfigFault'
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(`Cannot read the environment:\n${faults.map((fault) => `  ${fault}`).join('\n')}`)
    this.faults = faults
  }
}

/** One variable of the environment. */
export interface Variable<T> {
  readonly name: string
  /** As text; `<NAME>` stands for the value of a variable read before. */
  readonly fallback: string
  /** Completes the sentence "PORT must be …". */
  readonly must: string
  /** Undefined for a text that is not allowed. */
  readonly parse: (text: string) => T | undefined
  /** What it holds is not to be repeated in a fault. */
  readonly secret?: boolean
}

/** Reads variables one after the other, and gathers what is wrong with them. */
export class EnvironmentReader {
  readonly faults: string[] = []
  readonly #env: NodeJS.ProcessEnv
  readonly #read = new Map<string, string>()

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env
  }

  read<T>(variable: Variable<T>): T {
    const fallback = variable.fallback.replace(/<(\w+)>/, (_, name) => this.#read.get(name) ?? '')
    const text = this.#env[variable.name] || fallback
    let value = variable.parse(text)
    if (value === undefined) {
      this.#fault(variable, text)
      value = variable.parse(fallback)
    }
    this.#read.set(variable.name, String(value))
    // Only a wrong fallback of ours could leave it undefined: a test reads an empty environment.
    return value as T
  }

  #fault(variable: Variable<unknown>, text: string): void {
    const got = variable.secret ? '' : `: got ${JSON.stringify(text)}`
    this.faults.push(`${variable.name} must be ${variable.must}${got}`)
  }
}

export function integer(min: number, max: number): Pick<Variable<number>, 'must' | 'parse'> {
  return {
    must: `an integer from ${min} to ${max}`,
    parse: (text) => {
      const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
      return value >= min && value <= max ? value : undefined
    },
  }
}

/** As the other, or `none` if it is unset. */
export function optional<T>({
  must,
  parse,
}: Pick<Variable<T>, 'must' | 'parse'>): Pick<Variable<T | 'none'>, 'must' | 'parse'> {
  return { must, parse: (text) => (text === '' ? 'none' : parse(text)) }
}

export function webAddress(): Pick<Variable<string>, 'must' | 'parse'> {
  return { must: 'an http or https URL', parse: (text) => parseWebUrl(text)?.href }
}

function parseWebUrl(text: string): URL | undefined {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) ? url : undefined
}

/** The paths of the service are put behind it, so neither a query nor a slash may stand at its end. */
export function parseBaseUrl(text: string): string | undefined {
  const url = parseWebUrl(text)
  return url === undefined || url.search !== '' || url.hash !== '' ? undefined : url.href.replace(/\/+$/, '')
}

export function parseHost(text: string): string | undefined {
  return isIP(text) !== 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) ? text : undefined
}

export function truth(): Pick<Variable<boolean>, 'must' | 'parse'> {
  return {
    must: 'true or false',
    parse: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  }
}
