import type { Point } from '../../../../slot/query-parameter.ts'
import type { CityCenter } from '../../../../slot-index/city-centers.ts'
import { zipArea } from './zip-areas.ts'

/** Places with the middle of their area, as the filter `near` takes it. */
interface FoundPlaces {
  readonly places: { name: string; near: string; slots?: number }[]
  /** What to enter instead. */
  readonly hint?: string
}

/** Finds the place of a ZIP code, or of a city or Canadian postal code that has open slots. */
export async function findPlaces(
  text: string,
  citiesOf: (text: string) => Promise<CityCenter[]>,
): Promise<FoundPlaces> {
  if (/^\d[\d-]*$/.test(text)) return placeOfZip(text)
  const cities = await citiesOf(text)
  const open = cities.filter(({ slots }) => slots > 0)
  if (open.length > 0) return { places: open.map(({ name, slots, ...point }) => ({ name, near: near(point), slots })) }
  return { places: [], hint: cities.length > 0 ? noSlotsIn(cities[0]) : hintFor(text) }
}

async function placeOfZip(text: string): Promise<FoundPlaces> {
  const [zip] = /^\d{5}(?=$|-\d{4}$)/.exec(text) ?? []
  if (zip === undefined) return { places: [], hint: 'Enter all five digits of the ZIP code.' }
  const point = await zipArea(zip)
  if (point !== undefined) return { places: [{ name: `ZIP ${zip}`, near: near(point) }] }
  const hint = `ZIP code ${zip} has no area: it is not in use, or is of post office boxes or one building. Enter a neighboring ZIP code or a city.`
  return { places: [], hint }
}

function noSlotsIn({ name }: CityCenter): string {
  return `The locations in ${name} have no open slots now. Enter another city, or a ZIP code nearby.`
}

function hintFor(text: string): string {
  if (/^[a-z]\d[a-z]/i.test(text))
    return 'The service has no locations in the area of this Canadian postal code. Enter a city, or latitude and longitude.'
  return 'The service has no locations in a city whose name begins like this. Enter a ZIP code, or latitude and longitude.'
}

/** Two decimals are about a kilometer. */
function near({ latitude, longitude }: Point): string {
  return `${Number(latitude.toFixed(2))},${Number(longitude.toFixed(2))}`
}
