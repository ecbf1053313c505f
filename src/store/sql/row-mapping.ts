/** `created_at_ms` becomes `createdAtMs`. */
type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name

/** The names of the columns that may be null. */
type NullableIn<Row> = { [Name in keyof Row]: null extends Row[Name] ? Name : never }[keyof Row]

type FromRow<Row> = {
  readonly [Name in Exclude<keyof Row, NullableIn<Row>> & string as CamelCase<Name>]: Row[Name]
} & { readonly [Name in NullableIn<Row> & string as CamelCase<Name>]?: NonNullable<Row[Name]> }

/** The row as an object of the contracts: names in camel case, without the columns that are null. */
export function fromRow<Row extends object>(row: Row): FromRow<Row> {
  const mapped: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(row)) {
    if (value !== null) mapped[name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())] = value
  }
  return mapped as FromRow<Row>
}
