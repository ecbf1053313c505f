// Written by `npm run client:api` out of /openapi.json: not to be edited.

export interface paths {
    "/v1/scheduling/slots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List slots
         * @description Returns one page of the slots that match all filters, ordered by start, then id, and the total number of matching slots. With `Accept: application/x-ndjson` or `text/csv`, exports all matching slots from one snapshot; `limit`, `offset` and `cursor` are not allowed then.
         */
        get: operations["listSlots"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/scheduling/slots/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a slot
         * @description Returns one slot of any status while its publisher lists it.
         */
        get: operations["showSlot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/scheduling/actors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List actors
         * @description Returns one page of the providers at their locations that have matching slots, ordered by their first matching slot. Use it for the first screen of a search, before the patient chooses a time; pass `key` as `actorKey` to list the slots.
         */
        get: operations["listActors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/scheduling/facets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count slots by facet
         * @description Counts the matching slots by state, service mode, service type, specialty and day. Use it for the filters beside a search result.
         */
        get: operations["listFacets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/scheduling/publishers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List publishers
         * @description Returns one page of the publishers, with the number of their slots and how fresh these are.
         */
        get: operations["listPublishers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/scheduling/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List changes
         * @description Returns one page of the slots that were added, changed or removed after a revision, in commit order. Applying all pages in order to an export keeps a copy equal to the list; slots that have ended are not reported.
         */
        get: operations["listChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fhir/$bulk-publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the manifest of the feed
         * @description Returns the manifest of all slots as a SMART Scheduling Links feed (HL7, STU1). Its files belong to one snapshot; read them one after the other.
         */
        get: operations["showManifest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fhir/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a file of the feed
         * @description Returns a file that the manifest lists: the slots of one state, or the resources of one type that slots refer to, as FHIR R4 resources, one per line.
         */
        get: operations["showFeedFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Slot: {
            /** @description Opaque identifier, stable across syncs. */
            id: string;
            /**
             * @description Booking status.
             * @enum {string}
             */
            status: "free" | "busy" | "busy-unavailable" | "busy-tentative";
            /**
             * Format: date-time
             * @description Start, with the UTC offset of the publisher. RFC 3339.
             */
            start: string;
            /**
             * Format: date-time
             * @description End. RFC 3339.
             */
            end: string;
            /** @description Slug of the publisher. */
            publisher: string;
            /** @description The publisher's id of the schedule. */
            scheduleId: string;
            /** @description Whether it can be attended virtually. False if the publisher does not specify. */
            isVirtual: boolean;
            /** @description Booking page: an http or https URL. */
            bookingDeepLink?: string;
            /** @description Phone number for booking. */
            bookingPhone?: string;
            /** @description Number of bookings that the slot can take. */
            capacity?: number;
            /** @description As published. */
            serviceTypeCode?: string;
            /** @description As published. */
            serviceTypeText?: string;
            /** @description As published. */
            appointmentType?: string;
            /**
             * @description Which patients are accepted. Absent: all patients.
             * @enum {string}
             */
            acceptingPatients?: "newpt" | "existptonly" | "existptfam";
            /** @description All service modes. Absent if not provided. */
            modalities?: ("in-person" | "virtual")[];
            location?: components["schemas"]["Location"];
            /** @description States where the service is licensed, in addition to the state of the location. */
            serviceStates?: string[];
            provider?: components["schemas"]["Provider"];
        };
        Location: {
            /** @description Name. */
            name?: string;
            phone?: string[];
            website?: string[];
            addressLine?: string[];
            /** @description City. */
            city?: string;
            /** @description Two-letter code, upper case. */
            state?: string;
            /** @description Postal code, with leading zeros. */
            postalCode?: string;
            /** @description Decimal degrees. */
            latitude?: number;
            /** @description Decimal degrees. */
            longitude?: number;
        };
        Provider: {
            /** @description Name. */
            name?: string;
            /** @description Specialty, as published. */
            specialty?: string;
            /** @description National Provider Identifier. */
            npi?: string;
        };
        SlotPage: {
            slots: components["schemas"]["Slot"][];
            /** @description Total number of matching slots. */
            total: number;
        };
        Actor: {
            /** @description Identifier of the actor. Pass it as `actorKey`. */
            key: string;
            /** @description Slug of the publisher. */
            publisher: string;
            serviceTypes: {
                /** @description As published. */
                code?: string;
                /** @description As published. */
                display?: string;
            }[];
            /** @description Number of matching slots. */
            totalSlots: number;
            /** @description Whether at least one of them can be attended virtually. */
            isVirtual: boolean;
            /**
             * Format: date-time
             * @description Start of the first of them. RFC 3339.
             */
            nextAvailableStart: string;
            provider?: components["schemas"]["Provider"];
            location?: components["schemas"]["Location"];
        };
        ActorPage: {
            actors: components["schemas"]["Actor"][];
            /** @description Total number of items. */
            total: number;
        };
        Facets: {
            /** @description Number of matching slots. */
            total: number;
            state: {
                /** @description Two-letter code, upper case. */
                value: string;
                /** @description Number of slots. */
                count: number;
            }[];
            isVirtual: {
                /** @description Slots that can be attended virtually. */
                true: number;
                /** @description Slots that can be attended in person. */
                false: number;
            };
            serviceType: {
                /** @description As published. */
                code: string;
                /** @description Number of slots. */
                count: number;
                /** @description The most common display text. */
                display?: string;
            }[];
            specialty: {
                /** @description In the most common spelling. */
                value: string;
                /** @description Number of slots. */
                count: number;
            }[];
            day: {
                /**
                 * Format: date
                 * @description Day in the requested time zone.
                 */
                date: string;
                /** @description Number of slots that start on this day. */
                count: number;
            }[];
            others: {
                /** @description Number of slots with other values. */
                state: number;
                /** @description Number of slots with other values. */
                serviceType: number;
                /** @description Number of slots with other values. */
                specialty: number;
                /** @description Number of slots with other values. */
                day: number;
            };
        };
        Publisher: {
            /** @description Slug of the publisher. */
            publisher: string;
            /** @description Display name. */
            name: string;
            slots: {
                /** @description Number of slots that have not ended. */
                free: number;
                /** @description Number of slots that have not ended. */
                busy: number;
                /** @description Number of slots that have not ended. */
                "busy-unavailable": number;
                /** @description Number of slots that have not ended. */
                "busy-tentative": number;
            };
            /**
             * @description Sync status of the feed.
             * @enum {string}
             */
            status: "paused" | "never-synced" | "failing" | "suspicious" | "late" | "stale" | "healthy";
            /**
             * Format: date-time
             * @description Last successful sync. RFC 3339.
             */
            lastSyncAt?: string;
            /**
             * Format: date-time
             * @description Publication time stated by the feed. RFC 3339.
             */
            publishedAt?: string;
            /**
             * Format: date-time
             * @description Last change of its slots. RFC 3339.
             */
            changedAt?: string;
            /**
             * Format: date-time
             * @description Next scheduled sync. RFC 3339.
             */
            nextSyncAt?: string;
        };
        PublisherPage: {
            publishers: components["schemas"]["Publisher"][];
            /** @description Total number of items. */
            total: number;
        };
        /** @description A slot that was added or changed, with its current content, or one that was removed. */
        Change: {
            /**
             * @description Kind of change.
             * @enum {string}
             */
            change: "added" | "changed";
            slot: components["schemas"]["Slot"];
        } | {
            /**
             * @description Kind of change.
             * @constant
             */
            change: "removed";
            /** @description Id of the slot. */
            id: string;
            /**
             * Format: date-time
             * @description Start of the slot. RFC 3339.
             */
            start: string;
        };
        ChangePage: {
            changes: components["schemas"]["Change"][];
            /** @description Pass it as `since` to continue. */
            revision: string;
        };
        Manifest: {
            /**
             * Format: date-time
             * @description Time of the snapshot that all files belong to.
             */
            transactionTime: string;
            /**
             * Format: uri
             * @description URL of this manifest.
             */
            request: string;
            /** @description Whether files require the same API key. */
            requiresAccessToken: boolean;
            /** @description Media type of the files. */
            outputFormat: string;
            output: {
                /** @description Resource type in the file. */
                type: string;
                /**
                 * Format: uri
                 * @description URL of the file.
                 */
                url: string;
                extension?: {
                    state: string[];
                };
            }[];
            error: unknown[];
        };
        Error: {
            /** @description Kind of error; stable within a version. */
            error: string;
            /** @description Human-readable description: what was wrong and what is allowed. */
            message: string;
            /** @description The invalid parameter. */
            parameter?: string;
        };
        Problem: {
            /**
             * Format: uri
             * @description URL of the documentation of this kind of error.
             */
            type: string;
            /** @description Kind of error. */
            title: string;
            /** @description HTTP status code. */
            status: number;
            /** @description What was wrong and what is allowed. */
            detail: string;
            /** @description URN of the request. */
            instance: string;
            /** @description The invalid parameter. */
            parameter?: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listSlots: {
        parameters: {
            query?: {
                /**
                 * @description Slots in this state, by their location or by a state in which the service is licensed. Two letters, case-insensitive. May be repeated to match any of the values.
                 * @example [
                 *       "MA"
                 *     ]
                 */
                state?: string[];
                /**
                 * @description `true`: slots that can be attended virtually; `false`: in person. A slot with both service modes matches both.
                 * @example true
                 */
                isVirtual?: boolean;
                /**
                 * @description Slots with this status.
                 * @example free
                 */
                status?: "free" | "busy" | "busy-unavailable" | "busy-tentative";
                /**
                 * @description Slots that start at or after this instant. Without it, slots that have ended are excluded.
                 * @example 2026-06-01T09:00:00-04:00
                 */
                startAfter?: string;
                /**
                 * @description Slots that start at or before this instant.
                 * @example 2026-06-08T00:00:00Z
                 */
                startBefore?: string;
                /**
                 * @description Slots that last at least this many minutes.
                 * @example 30
                 */
                minDurationMinutes?: number;
                /**
                 * @description Slots with exactly this service type code, as published. May be repeated to match any of the values.
                 * @example [
                 *       "57"
                 *     ]
                 */
                serviceTypeCode?: string[];
                /**
                 * @description Slots with exactly this appointment type code, as published.
                 * @example ROUTINE
                 */
                appointmentType?: string;
                /**
                 * @description Slots open to this kind of patient. Slots that do not specify match every value.
                 * @example newpt
                 */
                acceptingPatients?: "newpt" | "existptonly" | "existptfam";
                /**
                 * @description City of the location, case-insensitive.
                 * @example Boston
                 */
                city?: string;
                /**
                 * @description Prefix of the postal code of the location, case-insensitive.
                 * @example 021
                 */
                postalCode?: string;
                /**
                 * @description Slots within `radiusKm` of this point: latitude and longitude in decimal degrees, separated by a comma. Slots without coordinates do not match.
                 * @example 42.36,-71.06
                 */
                near?: string;
                /**
                 * @description Radius around `near`, in kilometers. Requires `near`.
                 * @example 10
                 */
                radiusKm?: number;
                /**
                 * @description Specialty of the provider, case-insensitive.
                 * @example Dermatology
                 */
                specialty?: string;
                /**
                 * @description National Provider Identifier of the provider.
                 * @example 1346271483
                 */
                providerNpi?: string;
                /**
                 * @description Slots of this publisher. May be repeated to match any of the values.
                 * @example [
                 *       "sample"
                 *     ]
                 */
                publisher?: string[];
                /**
                 * @description Slots of the schedule with this id, which is the publisher's.
                 * @example schedule-MA-0
                 */
                scheduleId?: string;
                /**
                 * @description Slots of one provider at one location: the `key` of an actor.
                 * @example 0g3f8k2m5q7r9s1t4v6a8c0e
                 */
                actorKey?: string;
                /**
                 * @description Maximum number of items per page.
                 * @example 100
                 */
                limit?: number;
                /**
                 * @description Number of items to skip. Past the end, the page is empty.
                 * @example 25
                 */
                offset?: number;
                /**
                 * @description Keyset pagination, which is stable while slots are added and removed: empty for the first page, then the value in the `Link` header of the previous page. Cannot be combined with `offset`.
                 * @example
                 */
                cursor?: string;
                /**
                 * @description Order of the slots: by start, or by distance from `near`, which is then required.
                 * @example start
                 */
                sort?: "start" | "distance";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    showSlot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the slot.
                 * @example 0g3f8k2m5q7r9s1t4v6a8c0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listActors: {
        parameters: {
            query?: {
                /**
                 * @description Slots in this state, by their location or by a state in which the service is licensed. Two letters, case-insensitive. May be repeated to match any of the values.
                 * @example [
                 *       "MA"
                 *     ]
                 */
                state?: string[];
                /**
                 * @description `true`: slots that can be attended virtually; `false`: in person. A slot with both service modes matches both.
                 * @example true
                 */
                isVirtual?: boolean;
                /**
                 * @description Slots with this status.
                 * @example free
                 */
                status?: "free" | "busy" | "busy-unavailable" | "busy-tentative";
                /**
                 * @description Slots that start at or after this instant. Without it, slots that have ended are excluded.
                 * @example 2026-06-01T09:00:00-04:00
                 */
                startAfter?: string;
                /**
                 * @description Slots that start at or before this instant.
                 * @example 2026-06-08T00:00:00Z
                 */
                startBefore?: string;
                /**
                 * @description Slots that last at least this many minutes.
                 * @example 30
                 */
                minDurationMinutes?: number;
                /**
                 * @description Slots with exactly this service type code, as published. May be repeated to match any of the values.
                 * @example [
                 *       "57"
                 *     ]
                 */
                serviceTypeCode?: string[];
                /**
                 * @description Slots with exactly this appointment type code, as published.
                 * @example ROUTINE
                 */
                appointmentType?: string;
                /**
                 * @description Slots open to this kind of patient. Slots that do not specify match every value.
                 * @example newpt
                 */
                acceptingPatients?: "newpt" | "existptonly" | "existptfam";
                /**
                 * @description City of the location, case-insensitive.
                 * @example Boston
                 */
                city?: string;
                /**
                 * @description Prefix of the postal code of the location, case-insensitive.
                 * @example 021
                 */
                postalCode?: string;
                /**
                 * @description Slots within `radiusKm` of this point: latitude and longitude in decimal degrees, separated by a comma. Slots without coordinates do not match.
                 * @example 42.36,-71.06
                 */
                near?: string;
                /**
                 * @description Radius around `near`, in kilometers. Requires `near`.
                 * @example 10
                 */
                radiusKm?: number;
                /**
                 * @description Specialty of the provider, case-insensitive.
                 * @example Dermatology
                 */
                specialty?: string;
                /**
                 * @description National Provider Identifier of the provider.
                 * @example 1346271483
                 */
                providerNpi?: string;
                /**
                 * @description Slots of this publisher. May be repeated to match any of the values.
                 * @example [
                 *       "sample"
                 *     ]
                 */
                publisher?: string[];
                /**
                 * @description Slots of the schedule with this id, which is the publisher's.
                 * @example schedule-MA-0
                 */
                scheduleId?: string;
                /**
                 * @description Slots of one provider at one location: the `key` of an actor.
                 * @example 0g3f8k2m5q7r9s1t4v6a8c0e
                 */
                actorKey?: string;
                /**
                 * @description Maximum number of items per page.
                 * @example 100
                 */
                limit?: number;
                /**
                 * @description Number of items to skip. Past the end, the page is empty.
                 * @example 25
                 */
                offset?: number;
                /**
                 * @description Order of the actors: by the start of their next slot, or by distance from `near`, which is then required.
                 * @example start
                 */
                sort?: "start" | "distance";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listFacets: {
        parameters: {
            query?: {
                /**
                 * @description Slots in this state, by their location or by a state in which the service is licensed. Two letters, case-insensitive. May be repeated to match any of the values.
                 * @example [
                 *       "MA"
                 *     ]
                 */
                state?: string[];
                /**
                 * @description `true`: slots that can be attended virtually; `false`: in person. A slot with both service modes matches both.
                 * @example true
                 */
                isVirtual?: boolean;
                /**
                 * @description Slots with this status.
                 * @example free
                 */
                status?: "free" | "busy" | "busy-unavailable" | "busy-tentative";
                /**
                 * @description Slots that start at or after this instant. Without it, slots that have ended are excluded.
                 * @example 2026-06-01T09:00:00-04:00
                 */
                startAfter?: string;
                /**
                 * @description Slots that start at or before this instant.
                 * @example 2026-06-08T00:00:00Z
                 */
                startBefore?: string;
                /**
                 * @description Slots that last at least this many minutes.
                 * @example 30
                 */
                minDurationMinutes?: number;
                /**
                 * @description Slots with exactly this service type code, as published. May be repeated to match any of the values.
                 * @example [
                 *       "57"
                 *     ]
                 */
                serviceTypeCode?: string[];
                /**
                 * @description Slots with exactly this appointment type code, as published.
                 * @example ROUTINE
                 */
                appointmentType?: string;
                /**
                 * @description Slots open to this kind of patient. Slots that do not specify match every value.
                 * @example newpt
                 */
                acceptingPatients?: "newpt" | "existptonly" | "existptfam";
                /**
                 * @description City of the location, case-insensitive.
                 * @example Boston
                 */
                city?: string;
                /**
                 * @description Prefix of the postal code of the location, case-insensitive.
                 * @example 021
                 */
                postalCode?: string;
                /**
                 * @description Slots within `radiusKm` of this point: latitude and longitude in decimal degrees, separated by a comma. Slots without coordinates do not match.
                 * @example 42.36,-71.06
                 */
                near?: string;
                /**
                 * @description Radius around `near`, in kilometers. Requires `near`.
                 * @example 10
                 */
                radiusKm?: number;
                /**
                 * @description Specialty of the provider, case-insensitive.
                 * @example Dermatology
                 */
                specialty?: string;
                /**
                 * @description National Provider Identifier of the provider.
                 * @example 1346271483
                 */
                providerNpi?: string;
                /**
                 * @description Slots of this publisher. May be repeated to match any of the values.
                 * @example [
                 *       "sample"
                 *     ]
                 */
                publisher?: string[];
                /**
                 * @description Slots of the schedule with this id, which is the publisher's.
                 * @example schedule-MA-0
                 */
                scheduleId?: string;
                /**
                 * @description Slots of one provider at one location: the `key` of an actor.
                 * @example 0g3f8k2m5q7r9s1t4v6a8c0e
                 */
                actorKey?: string;
                /**
                 * @description IANA time zone of the days in `day`.
                 * @example America/New_York
                 */
                timeZone?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listPublishers: {
        parameters: {
            query?: {
                /**
                 * @description Maximum number of items per page.
                 * @example 100
                 */
                limit?: number;
                /**
                 * @description Number of items to skip. Past the end, the page is empty.
                 * @example 25
                 */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listChanges: {
        parameters: {
            query: {
                /**
                 * @description Return changes after this revision: the `Slots-Revision` of an export, then the `revision` of the previous page.
                 * @example 7x2k9v0a.1c
                 */
                since: string;
                /**
                 * @description Maximum number of changes per page.
                 * @example 1000
                 */
                limit?: number;
                /**
                 * @description Slots in this state, by their location or by a state in which the service is licensed. Two letters, case-insensitive. May be repeated to match any of the values.
                 * @example [
                 *       "MA"
                 *     ]
                 */
                state?: string[];
                /**
                 * @description `true`: slots that can be attended virtually; `false`: in person. A slot with both service modes matches both.
                 * @example true
                 */
                isVirtual?: boolean;
                /**
                 * @description Slots with this status.
                 * @example free
                 */
                status?: "free" | "busy" | "busy-unavailable" | "busy-tentative";
                /**
                 * @description Slots that start at or after this instant. Without it, slots that have ended are excluded.
                 * @example 2026-06-01T09:00:00-04:00
                 */
                startAfter?: string;
                /**
                 * @description Slots that start at or before this instant.
                 * @example 2026-06-08T00:00:00Z
                 */
                startBefore?: string;
                /**
                 * @description Slots that last at least this many minutes.
                 * @example 30
                 */
                minDurationMinutes?: number;
                /**
                 * @description Slots with exactly this service type code, as published. May be repeated to match any of the values.
                 * @example [
                 *       "57"
                 *     ]
                 */
                serviceTypeCode?: string[];
                /**
                 * @description Slots with exactly this appointment type code, as published.
                 * @example ROUTINE
                 */
                appointmentType?: string;
                /**
                 * @description Slots open to this kind of patient. Slots that do not specify match every value.
                 * @example newpt
                 */
                acceptingPatients?: "newpt" | "existptonly" | "existptfam";
                /**
                 * @description City of the location, case-insensitive.
                 * @example Boston
                 */
                city?: string;
                /**
                 * @description Prefix of the postal code of the location, case-insensitive.
                 * @example 021
                 */
                postalCode?: string;
                /**
                 * @description Slots within `radiusKm` of this point: latitude and longitude in decimal degrees, separated by a comma. Slots without coordinates do not match.
                 * @example 42.36,-71.06
                 */
                near?: string;
                /**
                 * @description Radius around `near`, in kilometers. Requires `near`.
                 * @example 10
                 */
                radiusKm?: number;
                /**
                 * @description Specialty of the provider, case-insensitive.
                 * @example Dermatology
                 */
                specialty?: string;
                /**
                 * @description National Provider Identifier of the provider.
                 * @example 1346271483
                 */
                providerNpi?: string;
                /**
                 * @description Slots of this publisher. May be repeated to match any of the values.
                 * @example [
                 *       "sample"
                 *     ]
                 */
                publisher?: string[];
                /**
                 * @description Slots of the schedule with this id, which is the publisher's.
                 * @example schedule-MA-0
                 */
                scheduleId?: string;
                /**
                 * @description Slots of one provider at one location: the `key` of an actor.
                 * @example 0g3f8k2m5q7r9s1t4v6a8c0e
                 */
                actorKey?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    showManifest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    showFeedFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The file name in the manifest.
                 * @example Slot-MA~7x2k9v0a.1c.ndjson
                 */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
}
