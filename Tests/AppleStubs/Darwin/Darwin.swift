// With this module, DialtoneAuth's parts for Apple's platforms compile on Linux. They use only what Glibc has, too.
