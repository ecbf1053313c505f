export interface City {
  readonly name: string
  /** The first three digits of its ZIPs. */
  readonly zipPrefix: string
  readonly areaCode: string
  readonly latitude: number
  readonly longitude: number
}

export interface UsState {
  readonly code: string
  readonly populationMillions: number
  /** The IANA zone in which most of its people live. */
  readonly zone: string
  readonly cities: readonly City[]
}

/** The 50 states and the District of Columbia; populations of the 2020 census. */
export const US_STATES: readonly UsState[] = [
  state('AL', 5.02, 'America/Chicago', 'Birmingham 352 205 33.52 -86.80', 'Mobile 366 251 30.69 -88.04'),
  state('AK', 0.73, 'America/Anchorage', 'Anchorage 995 907 61.22 -149.90', 'Fairbanks 997 907 64.84 -147.72'),
  state('AZ', 7.15, 'America/Phoenix', 'Phoenix 850 602 33.45 -112.07', 'Tucson 857 520 32.22 -110.97'),
  state('AR', 3.01, 'America/Chicago', 'Little Rock 722 501 34.75 -92.29', 'Fayetteville 727 479 36.06 -94.16'),
  state(
    'CA',
    39.54,
    'America/Los_Angeles',
    'Los Angeles 900 213 34.05 -118.24',
    'Fresno 937 559 36.74 -119.79',
    'San Diego 921 619 32.72 -117.16',
    'Sacramento 958 916 38.58 -121.49',
    'Oakland 946 510 37.80 -122.27',
  ),
  state('CO', 5.77, 'America/Denver', 'Denver 802 303 39.74 -104.99', 'Colorado Springs 809 719 38.83 -104.82'),
  state('CT', 3.61, 'America/New_York', 'Hartford 061 860 41.76 -72.69', 'New Haven 065 203 41.31 -72.92'),
  state('DE', 0.99, 'America/New_York', 'Wilmington 198 302 39.75 -75.55', 'Dover 199 302 39.16 -75.52'),
  state('DC', 0.69, 'America/New_York', 'Washington 200 202 38.91 -77.04'),
  state(
    'FL',
    21.54,
    'America/New_York',
    'Miami 331 305 25.76 -80.19',
    'Tampa 336 813 27.95 -82.46',
    'Orlando 328 407 28.54 -81.38',
    'Jacksonville 322 904 30.33 -81.66',
  ),
  state('GA', 10.71, 'America/New_York', 'Atlanta 303 404 33.75 -84.39', 'Savannah 314 912 32.08 -81.09'),
  state('HI', 1.46, 'Pacific/Honolulu', 'Honolulu 968 808 21.31 -157.86', 'Hilo 967 808 19.71 -155.08'),
  state('ID', 1.84, 'America/Boise', 'Boise 837 208 43.62 -116.20', 'Pocatello 832 208 42.86 -112.45'),
  state(
    'IL',
    12.81,
    'America/Chicago',
    'Chicago 606 312 41.88 -87.63',
    'Springfield 627 217 39.80 -89.64',
    'Peoria 616 309 40.69 -89.59',
  ),
  state(
    'IN',
    6.79,
    'America/Indiana/Indianapolis',
    'Indianapolis 462 317 39.77 -86.16',
    'Fort Wayne 468 260 41.08 -85.14',
  ),
  state('IA', 3.19, 'America/Chicago', 'Des Moines 503 515 41.59 -93.62', 'Cedar Rapids 524 319 41.98 -91.67'),
  state('KS', 2.94, 'America/Chicago', 'Wichita 672 316 37.69 -97.34', 'Topeka 666 785 39.05 -95.68'),
  state('KY', 4.51, 'America/New_York', 'Louisville 402 502 38.25 -85.76', 'Lexington 405 859 38.04 -84.50'),
  state('LA', 4.66, 'America/Chicago', 'New Orleans 701 504 29.95 -90.07', 'Baton Rouge 708 225 30.45 -91.19'),
  state('ME', 1.36, 'America/New_York', 'Portland 041 207 43.66 -70.26', 'Bangor 044 207 44.80 -68.77'),
  state('MD', 6.18, 'America/New_York', 'Baltimore 212 410 39.29 -76.61', 'Annapolis 214 410 38.98 -76.49'),
  state(
    'MA',
    7.03,
    'America/New_York',
    'Boston 021 617 42.36 -71.06',
    'Worcester 016 508 42.26 -71.80',
    'Springfield 011 413 42.10 -72.59',
  ),
  state('MI', 10.08, 'America/Detroit', 'Detroit 482 313 42.33 -83.05', 'Grand Rapids 495 616 42.96 -85.67'),
  state('MN', 5.71, 'America/Chicago', 'Minneapolis 554 612 44.98 -93.27', 'Duluth 558 218 46.79 -92.10'),
  state('MS', 2.96, 'America/Chicago', 'Jackson 392 601 32.30 -90.18', 'Gulfport 395 228 30.37 -89.09'),
  state('MO', 6.15, 'America/Chicago', 'St. Louis 631 314 38.63 -90.20', 'Kansas City 641 816 39.10 -94.58'),
  state('MT', 1.08, 'America/Denver', 'Billings 591 406 45.78 -108.50', 'Missoula 598 406 46.87 -113.99'),
  state('NE', 1.96, 'America/Chicago', 'Omaha 681 402 41.26 -95.93', 'Lincoln 685 402 40.81 -96.68'),
  state('NV', 3.1, 'America/Los_Angeles', 'Las Vegas 891 702 36.17 -115.14', 'Reno 895 775 39.53 -119.81'),
  state('NH', 1.38, 'America/New_York', 'Manchester 031 603 42.99 -71.46', 'Concord 033 603 43.21 -71.54'),
  state('NJ', 9.29, 'America/New_York', 'Newark 071 973 40.74 -74.17', 'Trenton 086 609 40.22 -74.76'),
  state('NM', 2.12, 'America/Denver', 'Albuquerque 871 505 35.08 -106.65', 'Santa Fe 875 505 35.69 -105.94'),
  state(
    'NY',
    20.2,
    'America/New_York',
    'New York 100 212 40.71 -74.01',
    'Brooklyn 112 718 40.68 -73.94',
    'Buffalo 142 716 42.89 -78.88',
    'Albany 122 518 42.65 -73.76',
  ),
  state('NC', 10.44, 'America/New_York', 'Charlotte 282 704 35.23 -80.84', 'Raleigh 276 919 35.78 -78.64'),
  state('ND', 0.78, 'America/Chicago', 'Fargo 581 701 46.88 -96.79', 'Bismarck 585 701 46.81 -100.78'),
  state(
    'OH',
    11.8,
    'America/New_York',
    'Columbus 432 614 39.96 -83.00',
    'Cleveland 441 216 41.50 -81.69',
    'Cincinnati 452 513 39.10 -84.51',
  ),
  state('OK', 3.96, 'America/Chicago', 'Oklahoma City 731 405 35.47 -97.52', 'Tulsa 741 918 36.15 -95.99'),
  state('OR', 4.24, 'America/Los_Angeles', 'Portland 972 503 45.52 -122.68', 'Eugene 974 541 44.05 -123.09'),
  state(
    'PA',
    13.0,
    'America/New_York',
    'Philadelphia 191 215 39.95 -75.17',
    'Pittsburgh 152 412 40.44 -80.00',
    'Harrisburg 171 717 40.27 -76.88',
  ),
  state('RI', 1.1, 'America/New_York', 'Providence 029 401 41.82 -71.41', 'Newport 028 401 41.49 -71.31'),
  state('SC', 5.12, 'America/New_York', 'Charleston 294 843 32.78 -79.93', 'Columbia 292 803 34.00 -81.03'),
  state('SD', 0.89, 'America/Chicago', 'Sioux Falls 571 605 43.55 -96.73', 'Rapid City 577 605 44.08 -103.23'),
  state('TN', 6.91, 'America/Chicago', 'Nashville 372 615 36.16 -86.78', 'Memphis 381 901 35.15 -90.05'),
  state(
    'TX',
    29.15,
    'America/Chicago',
    'Houston 770 713 29.76 -95.37',
    'Dallas 752 214 32.78 -96.80',
    'San Antonio 782 210 29.42 -98.49',
    'Austin 787 512 30.27 -97.74',
  ),
  state('UT', 3.27, 'America/Denver', 'Salt Lake City 841 801 40.76 -111.89', 'Provo 846 801 40.23 -111.66'),
  state('VT', 0.64, 'America/New_York', 'Burlington 054 802 44.48 -73.21', 'Montpelier 056 802 44.26 -72.58'),
  state('VA', 8.63, 'America/New_York', 'Richmond 232 804 37.54 -77.44', 'Norfolk 235 757 36.85 -76.29'),
  state('WA', 7.71, 'America/Los_Angeles', 'Seattle 981 206 47.61 -122.33', 'Spokane 992 509 47.66 -117.43'),
  state('WV', 1.79, 'America/New_York', 'Charleston 253 304 38.35 -81.63', 'Morgantown 265 304 39.63 -79.96'),
  state('WI', 5.89, 'America/Chicago', 'Milwaukee 532 414 43.04 -87.91', 'Madison 537 608 43.07 -89.40'),
  state('WY', 0.58, 'America/Denver', 'Cheyenne 820 307 41.14 -104.82', 'Casper 826 307 42.87 -106.31'),
]

function state(code: string, populationMillions: number, zone: string, ...cities: string[]): UsState {
  return { code, populationMillions, zone, cities: cities.map(parseCity) }
}

/** "St. Louis 631 314 38.63 -90.20": name, ZIP prefix, area code, latitude, longitude. */
function parseCity(text: string): City {
  const words = text.split(' ')
  const [zipPrefix, areaCode, latitude, longitude] = words.slice(-4)
  return {
    name: words.slice(0, -4).join(' '),
    zipPrefix,
    areaCode,
    latitude: Number(latitude),
    longitude: Number(longitude),
  }
}
