/** Fictional names. */
export const HOUSE_NAMES = [
  'Larkspur',
  'Juniper Hill',
  'Stonebridge',
  'Harbor Light',
  'Maple Court',
  'Silverleaf',
  'Northwind',
  'Willow Bend',
  'Copper Creek',
  'Bluebird',
  'Fernwood',
  'Granite Falls',
  'Sunfield',
  'Old Mill',
  'Clearbrook',
  'Hawthorn',
]
export const CLINIC_KINDS = ['Family Health', 'Community Clinic', 'Medical Group', 'Urgent Care', 'Primary Care']
export const PHARMACY_KINDS = ['Pharmacy', 'Drug Store', 'Corner Pharmacy']
export const STREETS = [
  'Main St',
  'Oak Ave',
  'Washington St',
  'Park Rd',
  'Cedar Ln',
  'Lake Dr',
  'Hill St',
  'River Rd',
  'Elm St',
  '2nd Ave',
]
export const GIVEN_NAMES = [
  'Amara',
  'Ben',
  'Carmen',
  'Dev',
  'Elena',
  'Farid',
  'Grace',
  'Hugo',
  'Ines',
  'Jamal',
  'Keiko',
  'Liam',
  'Mina',
  'Noor',
  'Oscar',
  'Priya',
  'Quinn',
  'Rosa',
  'Samir',
  'Tessa',
]
export const FAMILY_NAMES = [
  'Abara',
  'Bellweather',
  'Castellan',
  'Dunmore',
  'Ellery',
  'Fairbairn',
  'Greenhalgh',
  'Holloway',
  'Ivarsen',
  'Jessop',
  'Kowalczyk',
  'Lindqvist',
  'Marchetti',
  'Nakagawa',
  'Okonjo',
  'Pemberton',
  'Quintero',
  'Rosenthal',
  'Sandoval',
  'Tran',
]

export interface Coding {
  readonly system: string
  readonly code: string
  readonly display: string
}

const SERVICE_TYPE = 'http://terminology.hl7.org/CodeSystem/service-type'
const SNOMED = 'http://snomed.info/sct'

export const IMMUNIZATION: Coding = { system: SERVICE_TYPE, code: '57', display: 'Immunization' }
export const GENERAL_PRACTICE: Coding = { system: SERVICE_TYPE, code: '124', display: 'General Practice' }
export const GENERAL_MEDICINE: Coding = { system: SNOMED, code: '394802001', display: 'General medicine' }
export const SPECIALTIES: readonly Coding[] = [
  { system: SNOMED, code: '394579002', display: 'Cardiology' },
  { system: SNOMED, code: '394582007', display: 'Dermatology' },
  { system: SNOMED, code: '394587001', display: 'Psychiatry' },
  { system: SNOMED, code: '394537008', display: 'Pediatrics' },
  { system: SNOMED, code: '394585009', display: 'Obstetrics and gynecology' },
]
