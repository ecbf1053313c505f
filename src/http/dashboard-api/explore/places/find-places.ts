import type { Point } from '../../../../slot/query-parameter.ts'
import type { CityCenter } from '../../../../slot-index/offerings/city-centers.ts'
import { zipArea, zipAreasFrom } from './zip-areas.ts'

/** Places with the middle of their area, as the filter `near` takes it. */
interface FoundPlaces {
  readonly places: { name: string; near: string; slots?: number }[]
  /** What to enter instead. */
  readonly hint?: string
}

/** How many ZIP codes are suggested for their first digits: as many as four digits can have. */
const ZIPS_MAX = 10

/** Finds the place of a ZIP code or its first digits, or of a city or Canadian postal code that has locations. */
export async function findPlaces(
  text: string,
  citiesOf: (text: string) => Promise<CityCenter[]>,
): Promise<FoundPlaces> {
  if (/^\d[\d-]*$/.test(text)) return placesOfZip(text)
  const cities = await citiesOf(text)
  if (cities.length === 0) return { places: [], hint: hintFor(text) }
  return { places: cities.map(({ name, slots, ...point }) => ({ name, near: near(point), slots })) }
}

async function placesOfZip(text: string): Promise<FoundPlaces> {
  const [, digits] = /^(\d{1,5})(?:-\d{0,4})?$/.exec(text) ?? []
  if (digits === undefined) return { places: [], hint: 'A ZIP code has five digits, or nine with a hyphen.' }
  if (digits.length < 3) return { places: [], hint: 'Enter at least three digits of the ZIP code.' }
  if (digits.length < 5) return placesOfDigits(digits)
  const point = await zipArea(digits)
  if (point !== undefined) return { places: [{ name: `ZIP ${digits}`, near: near(point) }] }
  const hint = `ZIP code ${digits} has no area: it is not in use, or is of post office boxes or one building. Enter a neighboring ZIP code or a city.`
  return { places: [], hint }
}

/** The ZIP codes that begin with these digits, after the middle of all that begin with three: the region of a sorting center. */
async function placesOfDigits(digits: string): Promise<FoundPlaces> {
  const areas = await zipAreasFrom(digits)
  if (areas.length === 0)
    return { places: [], hint: `No ZIP code with an area begins with ${digits}. Enter another one, or a city.` }
  const zips = areas.slice(0, ZIPS_MAX).map(([zip, point]) => ({ name: `ZIP ${zip}`, near: near(point) }))
  const region = { name: `ZIP ${digits}…`, near: near(middleOf(areas.map(([, point]) => point))) }
  return { places: digits.length === 3 ? [region, ...zips] : zips }
}

function middleOf(points: readonly Point[]): Point {
  const mean = (of: 'latitude' | 'longitude') => points.reduce((sum, point) => sum + point[of], 0) / points.length
  return { latitude: mean('latitude'), longitude: mean('longitude') }
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
