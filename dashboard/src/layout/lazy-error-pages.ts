import { lazyRouteComponent } from '@tanstack/react-router'

const pages = () => import('./error-pages.tsx')

/** The error pages come with the layout of the first page, not with the entry. */
export const LazyNotFoundPage = lazyRouteComponent(pages, 'NotFoundPage')
export const LazyRouteError = lazyRouteComponent(pages, 'RouteError')
