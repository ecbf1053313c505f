import { defined } from '../lib/optional.ts'
import type { ServiceIdentity } from '../shared/service-identity.ts'
import type { Values } from './config.ts'

/** Who runs the service. */
export interface ServiceConfig {
  readonly service: ServiceIdentity
}

/** What people and clients see of the operator. */
export function serviceConfig(values: Values): ServiceConfig {
  return {
    service: {
      name: values.SERVICE_NAME,
      ...defined({
        contact: values.OPERATOR_CONTACT,
        termsUrl: values.TERMS_URL,
        privacyUrl: values.PRIVACY_URL,
        statusUrl: values.STATUS_URL,
      }),
    },
  }
}
