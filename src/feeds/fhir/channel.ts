import { asObject, type Json } from '../../lib/json.ts'
import { MODALITIES, type Modality } from '../../slot/slot.ts'
import { extensionName, extensions, valueCode } from './data-types.ts'

/**
 * The names of the extensions that state how a Slot or Schedule is attended. SMART Scheduling Links defines none; feeds use the
 * first three, and GP Connect (UK) the others.
 */
export const CHANNEL_EXTENSIONS = [
  'channel',
  'virtual-service',
  'virtual-service-base',
  'Extension-GPConnect-DeliveryChannel-2',
  'Extension-GPConnect-DeliveryChannel-1',
  'extension-gpconnect-delivery-channel-1',
  'Extension-UKCore-DeliveryChannel',
] as const

/** The modalities that the extensions of an element state together; empty if none is understood, undefined without any. */
export function channelsOf(element: Json): readonly Modality[] | undefined {
  if (!Array.isArray(element.extension)) return undefined
  let modalities: readonly Modality[] | undefined
  for (const item of element.extension) {
    const extension = asObject(item)
    if (extension !== undefined && NAMES.has(extensionName(extension.url)))
      modalities = withChannel(modalities, extension)
  }
  return modalities
}

const NAMES: ReadonlySet<string> = new Set(CHANNEL_EXTENSIONS)

/** Adds the channel of an extension to those before it; nothing if it is not understood. */
export function withChannel(before: readonly Modality[] | undefined, extension: Json): readonly Modality[] {
  const all = new Set([...(before ?? []), ...channelOf(extension)])
  return MODALITIES.filter((modality) => all.has(modality))
}

function channelOf(extension: Json): readonly Modality[] {
  if (typeof extension.valueBoolean === 'boolean') return extension.valueBoolean ? ['virtual'] : ['in-person']
  // A complex extension is a VirtualServiceDetail: connection details imply a virtual service.
  if (Array.isArray(extension.extension) && extension.extension.length > 0) {
    const [detail] = extensions(extension, 'channelType')
    return ['virtual', ...(detail === undefined ? [] : channelWord(detail).filter((one) => one !== 'in-person'))]
  }
  return channelWord(extension)
}

function channelWord(extension: Json): readonly Modality[] {
  return CHANNELS.get((valueCode(extension) ?? '').toLowerCase().replace(/[\s_-]/g, '')) ?? []
}

/** By code in lower case without spaces and hyphens. `vr`: virtual in HL7 v3 ActCode. */
const CHANNELS: ReadonlyMap<string, readonly Modality[]> = new Map<string, readonly Modality[]>([
  ...['vi', 'vr', 'virtual', 'telehealth', 'telemedicine', 'online', 'remote'].map(
    (code) => [code, ['virtual']] as const,
  ),
  ...['phone', 'telephone', 'audio'].map((code) => [code, ['virtual', 'phone']] as const),
  ...['video', 'videoconference'].map((code) => [code, ['virtual', 'video']] as const),
  ...['ph', 'physical', 'inperson', 'onsite', 'facetoface'].map((code) => [code, ['in-person']] as const),
  ['both', ['in-person', 'virtual']],
])
