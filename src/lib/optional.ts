/** An object without its undefined properties, as `exactOptionalPropertyTypes` wants it. */
export function defined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const result: { [K in keyof T]?: Exclude<T[K], undefined> } = {}
  for (const name of Object.keys(value) as (keyof T)[]) {
    const one = value[name]
    if (one !== undefined) result[name] = one as Exclude<T[keyof T], undefined>
  }
  return result
}
