// What SMART Scheduling Links STU1 requires of each resource, in FHIR Shorthand: its constraints in our own statements.
// References are limited by type, not by profile, because validators do not follow them.

Alias: $slot-status = http://hl7.org/fhir/slotstatus
Alias: $physical-type = http://terminology.hl7.org/CodeSystem/location-physical-type

ValueSet: PublishedSlotStatus
Id: published-slot-status
* $slot-status#free
* $slot-status#busy
* $slot-status#busy-unavailable
* $slot-status#busy-tentative

Profile: PublishedSlot
Parent: Slot
Id: smart-scheduling-slot
* status from PublishedSlotStatus (required)
* extension contains
    booking-deep-link named link 0..1 and
    booking-phone named phone 0..1 and
    patient-type named patientType 1..1
* extension[link].value[x] 1..1
* extension[phone].value[x] 1..1
* extension[patientType].value[x] 1..1

Profile: PublishedSchedule
Parent: Schedule
Id: smart-scheduling-schedule
* actor only Reference(Location or PractitionerRole or Practitioner or HealthcareService)
* actor.reference 1..1
* serviceType 1..*
* extension contains schedule-specialty named specialty 0..*
* extension[specialty].value[x] 1..1

Profile: PublishedLocation
Parent: Location
Id: smart-scheduling-location
* name 1..1
* telecom 1..*
  * system 1..1
  * value 1..1
* extension contains
    licensed-states named licensedStates 0..* and
    VirtualService named virtualService 0..*
* extension[licensedStates].value[x] 1..1
* extension[virtualService].extension 1..*

Profile: PublishedVirtualLocation
Parent: PublishedLocation
Id: smart-scheduling-virtual-location
* physicalType 1..1
* physicalType = $physical-type#vi
* extension[licensedStates] 1..*

Profile: PublishedPractitionerRole
Parent: PractitionerRole
Id: smart-scheduling-practitionerRole
* practitioner only Reference(Practitioner)
* location only Reference(Location)
* healthcareService only Reference(HealthcareService)

Profile: PublishedPractitioner
Parent: Practitioner
Id: smart-scheduling-practitioner
* identifier 1..1

Profile: PublishedHealthcareService
Parent: HealthcareService
Id: smart-scheduling-healthcare-service
* active 1..1
* name 1..1
* type 1..1
* specialty 1..1
* location 1..1
* location only Reference(Location)

Extension: DeepLink
Id: booking-deep-link
* value[x] only url
* value[x] 1..1

Extension: BookingPhone
Id: booking-phone
* value[x] only ContactPoint
* valueContactPoint 1..1
  * system 1..1
  * system = #phone
  * value 1..1

Extension: AcceptedPatients
Id: patient-type
* value[x] only Coding
* valueCoding 1..1
  * system 1..1
  * system = "http://terminology.hl7.org/CodeSystem/accepting-patients"
  * code 1..1

Extension: ScheduleSpecialty
Id: schedule-specialty
* value[x] only Coding
* valueCoding 1..1
  * system 1..1
  * code 1..1

Extension: LicensedState
Id: licensed-states
* value[x] only string
* value[x] 1..1

// The extension of FHIR R5's element, of which the guide uses the address.
Extension: VirtualService
Id: virtual-service
* ^url = "http://hl7.org/fhir/5.0/StructureDefinition/extension-Location.virtualService"
* extension contains
    channelType 0..1 and
    address 0..* and
    additionalInfo 0..* and
    maxParticipants 0..1 and
    sessionKey 0..1
* extension[address].value[x] only url
* extension[address].value[x] 1..1
