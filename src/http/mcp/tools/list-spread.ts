import { isObject } from '../../../lib/json.ts'
import { counted } from '../../../lib/text.ts'
import { FILTER_PARAMETERS } from '../../../slot/filter-parameters.ts'
import type { JsonSchema } from '../../../slot/query-parameter.ts'
import { cleanText } from '../clean-text.ts'
import { countOf, listOf } from '../query-service.ts'
import { COUNT, FROM_PUBLISHERS, inputOf, objectOf, STRING, searchOf, type Tool } from '../tool.ts'

const FACETS_PATH = '/v1/scheduling/facets'

/** Facets have the 100 most frequent values. */
const UNLISTED: JsonSchema = { ...COUNT, description: 'Slots with values that are not listed.' }

/** `list_states`: states with free slots. */
export const listStates: Tool = {
  name: 'list_states',
  title: 'List states with slots',
  description:
    'Lists the states with free slots and the number of virtual and in-person slots. A slot of several states counts in each. Use it to find where a kind of appointment is available.',
  input: inputOf(FILTER_PARAMETERS, [
    'isVirtual',
    'serviceTypeCode',
    'specialty',
    'acceptingPatients',
    'startAfter',
    'startBefore',
    'publisher',
  ]),
  output: objectOf({
    total: COUNT,
    states: { type: 'array', items: objectOf({ state: STRING, slots: COUNT }) },
    virtual: COUNT,
    inPerson: COUNT,
    unlisted: UNLISTED,
  }),
  async run(args, ask) {
    const { body } = await ask(FACETS_PATH, searchOf(args, listStates.input).toString())
    const states = listOf(body, 'state').map((each) => ({
      state: cleanText(each.value) ?? '',
      slots: countOf(each, 'count'),
    }))
    const modes = isObject(body) ? body.isVirtual : undefined
    const [virtual, inPerson] = [countOf(modes, 'true'), countOf(modes, 'false')]
    const total = countOf(body, 'total')
    const unlisted = unlistedOf(body, 'state')
    const lines = [...states.map(({ state, slots }) => `${state}: ${slots}`), ...formatUnlisted('states', unlisted)]
    const sum = `${total} free slots match: ${virtual} virtual, ${inPerson} in person.`
    return { text: [sum, ...lines].join('\n'), structured: { total, states, virtual, inPerson, unlisted } }
  },
}

/** `list_services`: service types and specialties with free slots. */
export const listServices: Tool = {
  name: 'list_services',
  title: 'List services and specialties',
  description:
    'Lists the service types (codes for serviceTypeCode) and specialties of free slots with their number of slots. Use it before you search for a kind of appointment: codes and specialties are those of the publishers.',
  input: inputOf(FILTER_PARAMETERS, [
    'state',
    'city',
    'postalCode',
    'near',
    'radiusKm',
    'isVirtual',
    'acceptingPatients',
    'startAfter',
    'startBefore',
    'publisher',
  ]),
  output: objectOf({
    total: COUNT,
    services: {
      type: 'array',
      items: objectOf({ serviceTypeCode: STRING, slots: COUNT }, { service: STRING }),
    },
    specialties: { type: 'array', items: objectOf({ specialty: STRING, slots: COUNT }) },
    unlisted: objectOf({ services: UNLISTED, specialties: UNLISTED }),
  }),
  async run(args, ask) {
    const { body } = await ask(FACETS_PATH, searchOf(args, listServices.input).toString())
    const services = listOf(body, 'serviceType').map((each) => {
      const service = cleanText(each.display)
      const serviceTypeCode = cleanText(each.code) ?? ''
      return { serviceTypeCode, slots: countOf(each, 'count'), ...(service && { service }) }
    })
    const specialties = listOf(body, 'specialty').map((each) => ({
      specialty: cleanText(each.value) ?? '',
      slots: countOf(each, 'count'),
    }))
    const total = countOf(body, 'total')
    const unlisted = { services: unlistedOf(body, 'serviceType'), specialties: unlistedOf(body, 'specialty') }
    const lines = [
      `${total} free slots match.`,
      'Service types:',
      ...services.map(({ serviceTypeCode: code, service, slots }) => `${code}: ${service ?? 'no name'}, ${slots}`),
      ...formatUnlisted('service types', unlisted.services),
      'Specialties:',
      ...specialties.map(({ specialty, slots }) => `${specialty}: ${slots}`),
      ...formatUnlisted('specialties', unlisted.specialties),
    ]
    return { text: [...lines, FROM_PUBLISHERS].join('\n'), structured: { total, services, specialties, unlisted } }
  },
}

function unlistedOf(body: unknown, facet: string): number {
  return countOf(isObject(body) ? body.others : undefined, facet)
}

function formatUnlisted(values: string, slots: number): string[] {
  return slots === 0 ? [] : [`More ${values}, with ${counted(slots, 'slot')}, are not listed: use more filters.`]
}
