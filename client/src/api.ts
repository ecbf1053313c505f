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
         * @description One page of the slots that match all filters, in order of start, then id, and how many there are in all. As `application/x-ndjson` or `text/csv`: all of them, as of one moment; `limit`, `offset` and `cursor` are left out then.
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
         * @description One slot, of any status, for as long as its publisher lists it.
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
         * @description One page of the providers and their locations that have slots which match, in order of the first of them: what a search page shows before a patient chooses a time. `actorKey` leads to the slots.
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
         * @description How the slots that match are spread over states, ways to attend, service types, specialties and days: what a search page shows beside its list.
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
         * @description One page of the publishers, with what we hold of each and how fresh that is.
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
         * @description One page of what was added, changed and removed after a revision, in the order of commits. Who applies all pages in their order to an export holds what the list has; what has ended goes without a change.
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
         * @description All that is held as a SMART Scheduling Links feed (HL7, STU1): the files of one moment, which are to be read one after the other.
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
         * @description A file that the manifest lists: the slots of a state, or what slots refer to, as FHIR resources (R4), one a line.
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
            /** @description Opaque, and stable across syncs. */
            id: string;
            /**
             * @description Whether it can be booked.
             * @enum {string}
             */
            status: "free" | "busy" | "busy-unavailable" | "busy-tentative";
            /**
             * Format: date-time
             * @description When it begins, with the offset that its publisher says. RFC 3339.
             */
            start: string;
            /**
             * Format: date-time
             * @description When it ends. RFC 3339.
             */
            end: string;
            /** @description The slug of its publisher. */
            publisher: string;
            /** @description The id of its schedule, which is its publisher's. */
            scheduleId: string;
            /** @description Whether it can be attended virtually. A publisher who says nothing means in person. */
            isVirtual: boolean;
            /** @description Where it is booked: an http or https URL, as browsers read it. */
            bookingDeepLink?: string;
            /** @description Where it is booked by phone. */
            bookingPhone?: string;
            /** @description How many can book it. */
            capacity?: number;
            /** @description As published. */
            serviceTypeCode?: string;
            /** @description As published. */
            serviceTypeText?: string;
            /** @description As published. */
            appointmentType?: string;
            /**
             * @description Which patients are accepted; all, where it says nothing.
             * @enum {string}
             */
            acceptingPatients?: "newpt" | "existptonly" | "existptfam";
            /** @description All ways to attend it; absent where nothing is said. */
            modalities?: ("in-person" | "virtual")[];
            location?: components["schemas"]["Location"];
            /** @description Where its service is licensed, beside its location's own state. */
            serviceStates?: string[];
            provider?: components["schemas"]["Provider"];
        };
        Location: {
            /** @description Its name. */
            name?: string;
            phone?: string[];
            website?: string[];
            addressLine?: string[];
            /** @description Its city. */
            city?: string;
            /** @description Two capital letters. */
            state?: string;
            /** @description Its postal code, with its leading zeros. */
            postalCode?: string;
            /** @description Decimal degrees. */
            latitude?: number;
            /** @description Decimal degrees. */
            longitude?: number;
        };
        Provider: {
            /** @description Their name. */
            name?: string;
            /** @description Their specialty, as published. */
            specialty?: string;
            /** @description National Provider Identifier. */
            npi?: string;
        };
        SlotPage: {
            slots: components["schemas"]["Slot"][];
            /** @description How many match in all. */
            total: number;
        };
        Actor: {
            /** @description To be asked for as `actorKey`. */
            key: string;
            /** @description The slug of the publisher. */
            publisher: string;
            serviceTypes: {
                /** @description As published. */
                code?: string;
                /** @description As published. */
                display?: string;
            }[];
            /** @description How many slots match there. */
            totalSlots: number;
            /** @description Whether one of them at least can be attended virtually. */
            isVirtual: boolean;
            /**
             * Format: date-time
             * @description When the first of them begins. RFC 3339.
             */
            nextAvailableStart: string;
            provider?: components["schemas"]["Provider"];
            location?: components["schemas"]["Location"];
        };
        ActorPage: {
            actors: components["schemas"]["Actor"][];
            /** @description How many there are in all. */
            total: number;
        };
        Facets: {
            /** @description How many slots match. */
            total: number;
            state: {
                /** @description Two capital letters. */
                value: string;
                /** @description How many slots. */
                count: number;
            }[];
            isVirtual: {
                /** @description Can be attended virtually. */
                true: number;
                /** @description Can be attended in person. */
                false: number;
            };
            serviceType: {
                /** @description As published. */
                code: string;
                /** @description How many slots. */
                count: number;
                /** @description What most call it. */
                display?: string;
            }[];
            specialty: {
                /** @description As most write it. */
                value: string;
                /** @description How many slots. */
                count: number;
            }[];
            day: {
                /**
                 * Format: date
                 * @description A day of the zone that was asked for.
                 */
                date: string;
                /** @description How many slots begin on it. */
                count: number;
            }[];
            others: {
                /** @description How many slots have values that are left out. */
                state: number;
                /** @description How many slots have values that are left out. */
                serviceType: number;
                /** @description How many slots have values that are left out. */
                specialty: number;
                /** @description How many slots have values that are left out. */
                day: number;
            };
        };
        Publisher: {
            /** @description Its slug. */
            publisher: string;
            /** @description What people call it. */
            name: string;
            slots: {
                /** @description How many have not ended. */
                free: number;
                /** @description How many have not ended. */
                busy: number;
                /** @description How many have not ended. */
                "busy-unavailable": number;
                /** @description How many have not ended. */
                "busy-tentative": number;
            };
            /**
             * @description How reading its feed goes.
             * @enum {string}
             */
            status: "paused" | "never-synced" | "failing" | "suspicious" | "late" | "stale" | "healthy";
            /**
             * Format: date-time
             * @description When its feed was read last. RFC 3339.
             */
            lastSyncAt?: string;
            /**
             * Format: date-time
             * @description From when it says its feed is. RFC 3339.
             */
            publishedAt?: string;
            /**
             * Format: date-time
             * @description When what we hold of it last changed. RFC 3339.
             */
            changedAt?: string;
            /**
             * Format: date-time
             * @description When its feed is looked at next. RFC 3339.
             */
            nextSyncAt?: string;
        };
        PublisherPage: {
            publishers: components["schemas"]["Publisher"][];
            /** @description How many there are in all. */
            total: number;
        };
        /** @description A slot that came or changed, as it is now; or one that went. */
        Change: {
            /**
             * @description What happened.
             * @enum {string}
             */
            change: "added" | "changed";
            slot: components["schemas"]["Slot"];
        } | {
            /**
             * @description What happened.
             * @constant
             */
            change: "removed";
            /** @description Of the slot. */
            id: string;
            /**
             * Format: date-time
             * @description When it would have begun. RFC 3339.
             */
            start: string;
        };
        ChangePage: {
            changes: components["schemas"]["Change"][];
            /** @description To go on from, as `since`. */
            revision: string;
        };
        Manifest: {
            /**
             * Format: date-time
             * @description The moment that its files are of.
             */
            transactionTime: string;
            /**
             * Format: uri
             * @description Its own address.
             */
            request: string;
            /** @description Files want the same key. */
            requiresAccessToken: boolean;
            /** @description What files are sent as. */
            outputFormat: string;
            output: {
                /** @description What resources it has. */
                type: string;
                /**
                 * Format: uri
                 * @description Where it is.
                 */
                url: string;
                extension?: {
                    state: string[];
                };
            }[];
            error: unknown[];
        };
        Error: {
            /** @description What kind of error it is: stays as it is. */
            error: string;
            /** @description What was wrong and what would be right: for people. */
            message: string;
            /** @description The parameter that was wrong. */
            parameter?: string;
        };
        Problem: {
            /**
             * Format: uri
             * @description Where this kind of error is documented.
             */
            type: string;
            /** @description What kind of error it is. */
            title: string;
            /** @description As in the status line. */
            status: number;
            /** @description What was wrong and what would be right. */
            detail: string;
            /** @description The request. */
            instance: string;
            /** @description The parameter that was wrong. */
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
                 * @description Slots in this state, by their location, or by a state that their service is licensed for. Two letters, without regard to case. May be repeated: any of them.
                 * @example [
                 *       "MA"
                 *     ]
                 */
                state?: string[];
                /**
                 * @description Whether the slot can be attended virtually, or (`false`) in person. One that can be attended both ways matches both.
                 * @example true
                 */
                isVirtual?: boolean;
                /**
                 * @description Slots of this status.
                 * @example free
                 */
                status?: "free" | "busy" | "busy-unavailable" | "busy-tentative";
                /**
                 * @description Slots that begin then or later. Without it, slots that have ended are left out; with it, you decide.
                 * @example 2026-06-01T09:00:00-04:00
                 */
                startAfter?: string;
                /**
                 * @description Slots that begin then or earlier.
                 * @example 2026-06-08T00:00:00Z
                 */
                startBefore?: string;
                /**
                 * @description Slots that last at least so many minutes.
                 * @example 30
                 */
                minDurationMinutes?: number;
                /**
                 * @description Slots of this service type: exactly this code, as published. May be repeated: any of them.
                 * @example [
                 *       "57"
                 *     ]
                 */
                serviceTypeCode?: string[];
                /**
                 * @description Slots of this appointment type: exactly this code, as published.
                 * @example ROUTINE
                 */
                appointmentType?: string;
                /**
                 * @description Slots open to such patients. One that says nothing matches any.
                 * @example newpt
                 */
                acceptingPatients?: "newpt" | "existptonly" | "existptfam";
                /**
                 * @description The location's city, without regard to case.
                 * @example Boston
                 */
                city?: string;
                /**
                 * @description What the location's postal code begins with, without regard to case.
                 * @example 021
                 */
                postalCode?: string;
                /**
                 * @description Slots at most `radiusKm` from this point: latitude and longitude in decimal degrees, with a comma between them. Slots without coordinates do not match.
                 * @example 42.36,-71.06
                 */
                near?: string;
                /**
                 * @description How far from `near`, in kilometres; only together with it.
                 * @example 10
                 */
                radiusKm?: number;
                /**
                 * @description The provider's specialty, without regard to case.
                 * @example Dermatology
                 */
                specialty?: string;
                /**
                 * @description The provider's National Provider Identifier.
                 * @example 1346271483
                 */
                providerNpi?: string;
                /**
                 * @description Slots of this publisher. May be repeated: any of them.
                 * @example [
                 *       "sample"
                 *     ]
                 */
                publisher?: string[];
                /**
                 * @description Slots of the schedule with this id, which is its publisher's.
                 * @example schedule-MA-0
                 */
                scheduleId?: string;
                /**
                 * @description Slots of one provider at one location: the `key` of an actor.
                 * @example 0g3f8k2m5q7r9s1t4v6a8c0e
                 */
                actorKey?: string;
                /**
                 * @description How many there are on a page, at most.
                 * @example 100
                 */
                limit?: number;
                /**
                 * @description How many to leave out ahead of the page. Past the end, the page is empty.
                 * @example 25
                 */
                offset?: number;
                /**
                 * @description Walks through the list by position, so that pages stay put while slots come and go: empty for the first page, then as in the `Link` of the page before. Not together with `offset`.
                 * @example
                 */
                cursor?: string;
                /**
                 * @description The order: by start, or, only together with `near`, by distance from it.
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
                 * @description Of the slot.
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
                 * @description Slots in this state, by their location, or by a state that their service is licensed for. Two letters, without regard to case. May be repeated: any of them.
                 * @example [
                 *       "MA"
                 *     ]
                 */
                state?: string[];
                /**
                 * @description Whether the slot can be attended virtually, or (`false`) in person. One that can be attended both ways matches both.
                 * @example true
                 */
                isVirtual?: boolean;
                /**
                 * @description Slots of this status.
                 * @example free
                 */
                status?: "free" | "busy" | "busy-unavailable" | "busy-tentative";
                /**
                 * @description Slots that begin then or later. Without it, slots that have ended are left out; with it, you decide.
                 * @example 2026-06-01T09:00:00-04:00
                 */
                startAfter?: string;
                /**
                 * @description Slots that begin then or earlier.
                 * @example 2026-06-08T00:00:00Z
                 */
                startBefore?: string;
                /**
                 * @description Slots that last at least so many minutes.
                 * @example 30
                 */
                minDurationMinutes?: number;
                /**
                 * @description Slots of this service type: exactly this code, as published. May be repeated: any of them.
                 * @example [
                 *       "57"
                 *     ]
                 */
                serviceTypeCode?: string[];
                /**
                 * @description Slots of this appointment type: exactly this code, as published.
                 * @example ROUTINE
                 */
                appointmentType?: string;
                /**
                 * @description Slots open to such patients. One that says nothing matches any.
                 * @example newpt
                 */
                acceptingPatients?: "newpt" | "existptonly" | "existptfam";
                /**
                 * @description The location's city, without regard to case.
                 * @example Boston
                 */
                city?: string;
                /**
                 * @description What the location's postal code begins with, without regard to case.
                 * @example 021
                 */
                postalCode?: string;
                /**
                 * @description Slots at most `radiusKm` from this point: latitude and longitude in decimal degrees, with a comma between them. Slots without coordinates do not match.
                 * @example 42.36,-71.06
                 */
                near?: string;
                /**
                 * @description How far from `near`, in kilometres; only together with it.
                 * @example 10
                 */
                radiusKm?: number;
                /**
                 * @description The provider's specialty, without regard to case.
                 * @example Dermatology
                 */
                specialty?: string;
                /**
                 * @description The provider's National Provider Identifier.
                 * @example 1346271483
                 */
                providerNpi?: string;
                /**
                 * @description Slots of this publisher. May be repeated: any of them.
                 * @example [
                 *       "sample"
                 *     ]
                 */
                publisher?: string[];
                /**
                 * @description Slots of the schedule with this id, which is its publisher's.
                 * @example schedule-MA-0
                 */
                scheduleId?: string;
                /**
                 * @description Slots of one provider at one location: the `key` of an actor.
                 * @example 0g3f8k2m5q7r9s1t4v6a8c0e
                 */
                actorKey?: string;
                /**
                 * @description How many there are on a page, at most.
                 * @example 100
                 */
                limit?: number;
                /**
                 * @description How many to leave out ahead of the page. Past the end, the page is empty.
                 * @example 25
                 */
                offset?: number;
                /**
                 * @description The order: by the start of the next slot, or, only together with `near`, by distance from it.
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
                 * @description Slots in this state, by their location, or by a state that their service is licensed for. Two letters, without regard to case. May be repeated: any of them.
                 * @example [
                 *       "MA"
                 *     ]
                 */
                state?: string[];
                /**
                 * @description Whether the slot can be attended virtually, or (`false`) in person. One that can be attended both ways matches both.
                 * @example true
                 */
                isVirtual?: boolean;
                /**
                 * @description Slots of this status.
                 * @example free
                 */
                status?: "free" | "busy" | "busy-unavailable" | "busy-tentative";
                /**
                 * @description Slots that begin then or later. Without it, slots that have ended are left out; with it, you decide.
                 * @example 2026-06-01T09:00:00-04:00
                 */
                startAfter?: string;
                /**
                 * @description Slots that begin then or earlier.
                 * @example 2026-06-08T00:00:00Z
                 */
                startBefore?: string;
                /**
                 * @description Slots that last at least so many minutes.
                 * @example 30
                 */
                minDurationMinutes?: number;
                /**
                 * @description Slots of this service type: exactly this code, as published. May be repeated: any of them.
                 * @example [
                 *       "57"
                 *     ]
                 */
                serviceTypeCode?: string[];
                /**
                 * @description Slots of this appointment type: exactly this code, as published.
                 * @example ROUTINE
                 */
                appointmentType?: string;
                /**
                 * @description Slots open to such patients. One that says nothing matches any.
                 * @example newpt
                 */
                acceptingPatients?: "newpt" | "existptonly" | "existptfam";
                /**
                 * @description The location's city, without regard to case.
                 * @example Boston
                 */
                city?: string;
                /**
                 * @description What the location's postal code begins with, without regard to case.
                 * @example 021
                 */
                postalCode?: string;
                /**
                 * @description Slots at most `radiusKm` from this point: latitude and longitude in decimal degrees, with a comma between them. Slots without coordinates do not match.
                 * @example 42.36,-71.06
                 */
                near?: string;
                /**
                 * @description How far from `near`, in kilometres; only together with it.
                 * @example 10
                 */
                radiusKm?: number;
                /**
                 * @description The provider's specialty, without regard to case.
                 * @example Dermatology
                 */
                specialty?: string;
                /**
                 * @description The provider's National Provider Identifier.
                 * @example 1346271483
                 */
                providerNpi?: string;
                /**
                 * @description Slots of this publisher. May be repeated: any of them.
                 * @example [
                 *       "sample"
                 *     ]
                 */
                publisher?: string[];
                /**
                 * @description Slots of the schedule with this id, which is its publisher's.
                 * @example schedule-MA-0
                 */
                scheduleId?: string;
                /**
                 * @description Slots of one provider at one location: the `key` of an actor.
                 * @example 0g3f8k2m5q7r9s1t4v6a8c0e
                 */
                actorKey?: string;
                /**
                 * @description Whose days the slots are counted by: an IANA time zone.
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
                 * @description How many there are on a page, at most.
                 * @example 100
                 */
                limit?: number;
                /**
                 * @description How many to leave out ahead of the page. Past the end, the page is empty.
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
                 * @description The revision from which to go on: the `Slots-Revision` of an export, then the `revision` of the page of changes before.
                 * @example 7x2k9v0a.1c
                 */
                since: string;
                /**
                 * @description How many changes there are on a page, at most.
                 * @example 1000
                 */
                limit?: number;
                /**
                 * @description Slots in this state, by their location, or by a state that their service is licensed for. Two letters, without regard to case. May be repeated: any of them.
                 * @example [
                 *       "MA"
                 *     ]
                 */
                state?: string[];
                /**
                 * @description Whether the slot can be attended virtually, or (`false`) in person. One that can be attended both ways matches both.
                 * @example true
                 */
                isVirtual?: boolean;
                /**
                 * @description Slots of this status.
                 * @example free
                 */
                status?: "free" | "busy" | "busy-unavailable" | "busy-tentative";
                /**
                 * @description Slots that begin then or later. Without it, slots that have ended are left out; with it, you decide.
                 * @example 2026-06-01T09:00:00-04:00
                 */
                startAfter?: string;
                /**
                 * @description Slots that begin then or earlier.
                 * @example 2026-06-08T00:00:00Z
                 */
                startBefore?: string;
                /**
                 * @description Slots that last at least so many minutes.
                 * @example 30
                 */
                minDurationMinutes?: number;
                /**
                 * @description Slots of this service type: exactly this code, as published. May be repeated: any of them.
                 * @example [
                 *       "57"
                 *     ]
                 */
                serviceTypeCode?: string[];
                /**
                 * @description Slots of this appointment type: exactly this code, as published.
                 * @example ROUTINE
                 */
                appointmentType?: string;
                /**
                 * @description Slots open to such patients. One that says nothing matches any.
                 * @example newpt
                 */
                acceptingPatients?: "newpt" | "existptonly" | "existptfam";
                /**
                 * @description The location's city, without regard to case.
                 * @example Boston
                 */
                city?: string;
                /**
                 * @description What the location's postal code begins with, without regard to case.
                 * @example 021
                 */
                postalCode?: string;
                /**
                 * @description Slots at most `radiusKm` from this point: latitude and longitude in decimal degrees, with a comma between them. Slots without coordinates do not match.
                 * @example 42.36,-71.06
                 */
                near?: string;
                /**
                 * @description How far from `near`, in kilometres; only together with it.
                 * @example 10
                 */
                radiusKm?: number;
                /**
                 * @description The provider's specialty, without regard to case.
                 * @example Dermatology
                 */
                specialty?: string;
                /**
                 * @description The provider's National Provider Identifier.
                 * @example 1346271483
                 */
                providerNpi?: string;
                /**
                 * @description Slots of this publisher. May be repeated: any of them.
                 * @example [
                 *       "sample"
                 *     ]
                 */
                publisher?: string[];
                /**
                 * @description Slots of the schedule with this id, which is its publisher's.
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
                 * @description As in the manifest.
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
