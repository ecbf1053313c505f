import { defined } from '../../../lib/optional.ts'
import type { Coding, Identifier } from '../../../slot/slot.ts'
import type {
  PractitionerDetails,
  RoleDetails,
  ServiceDetails,
  StatedOrganization,
} from '../../../slot/source-resources.ts'
import { NPI, UNKNOWN } from './fhir-urls.ts'
import { conceptOfAll, conceptsOf, type Elements, nonEmpty, type PublishedResource } from './published-resource.ts'

/** The guide allows one identifier, so the others are published by the role: see `otherIdentifiersOf()`. */
export function practitionerElements(details: PractitionerDetails): Elements {
  const { name, isFormer, languages } = details
  const identifier = mainIdentifier(details)
  return {
    ...defined({ identifier: identifier && [identifier], active: isFormer && false }),
    name: [name === undefined ? UNKNOWN : { text: name }],
    ...defined({ communication: communicationIn(languages) }),
  }
}

/** The NPI, else the first one. */
function mainIdentifier({ identifier = [] }: PractitionerDetails): Identifier | undefined {
  return identifier.find(({ system }) => system === NPI) ?? identifier[0]
}

function otherIdentifiersOf(practitioner: PractitionerDetails | undefined): readonly Identifier[] {
  const main = practitioner && mainIdentifier(practitioner)
  return practitioner?.identifier?.filter((one) => one !== main) ?? []
}

/** The resources that a role refers to. */
interface RoleTargets {
  readonly practitioner: { readonly details: PractitionerDetails; readonly resource: PublishedResource } | undefined
  readonly locations: readonly PublishedResource[]
  readonly services: readonly PublishedResource[]
}

export function roleElements(role: RoleDetails, { practitioner, locations, services }: RoleTargets): Elements {
  const { identifier = [], isFormer, practitionerName, organization, specialty } = role
  const display = practitioner?.details.name ?? practitionerName
  return defined({
    identifier: nonEmpty([...identifier, ...otherIdentifiersOf(practitioner?.details)]),
    active: isFormer && false,
    practitioner:
      practitioner === undefined && display === undefined
        ? undefined
        : defined({ reference: practitioner && `Practitioner/${practitioner.resource.id}`, display }),
    organization: referenceToOrganization(organization),
    specialty: specialty && conceptsOf(specialty),
    location: nonEmpty(locations.map(referenceTo)),
    healthcareService: nonEmpty(services.map(referenceTo)),
  })
}

/** The profile of the guide requires all of them, and one Location. */
export function serviceElements(service: ServiceDetails, location: PublishedResource | undefined): Elements {
  const { identifier, name, organization, type, specialty, languages } = service
  return {
    ...defined({ identifier }),
    active: true,
    ...defined({ providedBy: referenceToOrganization(organization) }),
    type: [conceptOfAll(type)],
    specialty: [conceptOfAll(specialty)],
    location: [location === undefined ? UNKNOWN : referenceTo(location)],
    ...(name === undefined ? { _name: UNKNOWN } : { name }),
    ...defined({ communication: communicationIn(languages) }),
  }
}

/** A reference with the name of its target as its display text, if that has one. */
export function referenceTo({ type, id, elements }: PublishedResource): Elements {
  const display = type === 'PractitionerRole' ? displayOf(elements.practitioner) : elements.name
  return { reference: `${type}/${id}`, ...defined({ display }) }
}

/** Organizations are not published, so the reference is logical. */
function referenceToOrganization(organization: StatedOrganization | undefined): Elements | undefined {
  return organization && defined({ identifier: organization.identifier, display: organization.display })
}

function displayOf(reference: unknown): unknown {
  return (reference as { display?: unknown } | undefined)?.display
}

function communicationIn(languages: readonly Coding[] | undefined): readonly Elements[] | undefined {
  return languages?.map((coding) => ({ coding: [coding] }))
}
