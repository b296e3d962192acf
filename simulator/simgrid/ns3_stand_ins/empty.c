// The stand-ins' source but for the first's.
typedef int hindcast_nothing;
