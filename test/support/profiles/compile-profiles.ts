import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROFILES_FOLDER } from './foreign-packages.ts'

/** A definition of FHIR: a StructureDefinition, ValueSet or CodeSystem. */
export interface Definition {
  readonly resourceType: string
  readonly id: string
  readonly url: string
  readonly [element: string]: unknown
}

const R4 = { name: 'hl7.fhir.r4.core', version: '4.0.1' }
const CONFIGURATION = {
  canonical: 'http://hl7.org/fhir/uv/smart-scheduling-links',
  FSHOnly: true,
  fhirVersion: [R4.version],
}

/**
 * Compiles the FHIR Shorthand of test/profiles by SUSHI, with snapshots. SUSHI would download the definitions of FHIR; it gets them from
 * `core` instead. Throws what SUSHI reports.
 */
export async function compileProfiles(load: NodeJS.Require, core: readonly Definition[]): Promise<Definition[]> {
  const { fhirdefs, sushiExport, sushiImport, utils } = load('fsh-sushi')
  // A dependency of SUSHI.
  const { InMemoryVirtualPackage } = load('fhir-package-loader')
  utils.logger.transports[0].silent = true
  utils.errorsAndWarnings.reset()
  utils.errorsAndWarnings.shouldTrack = true
  const known = await fhirdefs.createFHIRDefinitions()
  const resources = new Map(core.map((each) => [`${each.resourceType}-${each.id}`, each]))
  await known.loadVirtualPackage(new InMemoryVirtualPackage(R4, resources, {}))
  const text = readFileSync(join(PROFILES_FOLDER, 'stu1.fsh'), 'utf8')
  const tank = utils.fillTank([new sushiImport.RawFSH(text, 'stu1.fsh')], CONFIGURATION)
  const { profiles, extensions, valueSets } = sushiExport.exportFHIR(tank, known)
  const { errors, warnings } = utils.errorsAndWarnings
  const said = [...errors, ...warnings].map(({ message }: { message: string }) => message)
  if (said.length > 0) throw new Error(`SUSHI cannot compile stu1.fsh: ${said.join('\n')}`)
  return [...profiles, ...extensions, ...valueSets].map((each) => each.toJSON(true))
}
